package marmoset.hosted;

import java.util.Arrays;

/**
 * The names, as resource ids, of the attributes of the element at which a reader of binary XML stands; {@link Libraries}
 * puts one into each reader.
 */
public final class AttributeNames {
  private int element = Integer.MIN_VALUE;
  private int[] names = new int[16];
  private boolean[] known = new boolean[16];

  /** Whether the name of attribute {@code index} is here. {@code at} tells the elements of the file apart. */
  public boolean knows(int at, int index) {
    if (at != element) {
      element = at;
      Arrays.fill(known, false);
    }
    return index < known.length && known[index];
  }

  public void put(int index, int name) {
    if (index >= known.length) {
      int length = Math.max(index + 1, 2 * known.length);
      names = Arrays.copyOf(names, length);
      known = Arrays.copyOf(known, length);
    }
    names[index] = name;
    known[index] = true;
  }

  public int get(int index) {
    return names[index];
  }
}
