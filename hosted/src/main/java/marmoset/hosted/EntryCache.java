package marmoset.hosted;

import java.util.HashMap;
import java.util.Map;
import org.robolectric.res.android.Ref;

/**
 * What a resource table found for an id under its present configuration; {@link Libraries} puts one into each table. The
 * framework holds the table's lock during a look-up.
 */
public final class EntryCache {
  private record Found(Object cookie, Object entry) {}

  private final Map<Integer, Found> found = new HashMap<>();

  /** The cookie, and the entry in {@code out}; null where the id has not been looked for. */
  public Object get(int id, Ref<Object> out) {
    Found known = found.get(id);
    if (known == null) return null;
    // The search leaves the entry alone where it finds nothing.
    if (known.entry != null) out.set(known.entry);
    return known.cookie;
  }

  /** Remembers and returns the cookie. */
  public Object put(int id, Object cookie, Ref<Object> out) {
    found.put(id, new Found(cookie, out.get()));
    return cookie;
  }
}
