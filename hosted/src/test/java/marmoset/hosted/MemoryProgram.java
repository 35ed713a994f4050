package marmoset.hosted;

import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code MemoryProgram held|left}: a heap that the last full collection found full, of what is in use or of what only waits
 * to be freed, in a JVM of its own; {@link MemoryWatchTest} starts it. Prints whether it counts as full, and as spent.
 */
public final class MemoryProgram {
  private static final int MEGABYTES = 28;

  /** As bitmaps and cursors do, and through them the process of the app that they were of. */
  private static final class Freed {
    byte[] held = new byte[1 << 20];

    /** Not empty, or the JVM would leave it out. */
    @Override
    @SuppressWarnings({"deprecation", "removal"})
    protected void finalize() {
      held = null;
    }
  }

  private MemoryProgram() {}

  public static void main(String[] args) {
    MemoryWatch memory = new MemoryWatch();
    List<Freed> process = new ArrayList<>();
    for (int i = 0; i < MEGABYTES; i++) process.add(new Freed());
    Runtime.getRuntime().gc();
    if (args[0].equals("left")) process.clear();
    System.out.println(memory.isFull() + " " + memory.isSpent());
    Reference.reachabilityFence(process);
  }
}
