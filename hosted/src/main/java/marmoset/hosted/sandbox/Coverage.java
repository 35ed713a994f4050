package marmoset.hosted.sandbox;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import marmoset.hosted.RequestError;

/**
 * Reads which probes of an instrumented app (docs/formats/probe_table.md) were hit in one process of it. One thread at a
 * time; it need not be the main thread, so that looking disturbs nothing there.
 */
final class Coverage {
  /** The class that has the probes, as an entry of the app's jar. */
  static final String ENTRY = "marmoset/Probe.class";

  private final ClassLoader app;

  /** What earlier processes of the same run entered and nobody has been told of yet, and what they told. */
  private List<Long> untold = List.of();

  private boolean[] told;

  private boolean[] hits;
  private boolean[] seen;

  Coverage(ClassLoader app) {
    this.app = app;
  }

  /** Of a new process in the same run: each probe is told once. */
  Coverage(ClassLoader app, Coverage earlier) {
    this.app = app;
    untold = earlier.newHits();
    told = earlier.seen;
  }

  /** The numbers of the probes that were hit since the last look. */
  List<Long> newHits() {
    if (hits == null) {
      hits = find();
      seen = told != null ? told : new boolean[hits.length];
    }
    List<Long> found = new ArrayList<>(untold);
    untold = List.of();
    for (int at = 0; ; at++) {
      int step = Arrays.mismatch(hits, at, hits.length, seen, at, seen.length);
      if (step < 0) return found;
      at += step;
      // An earlier process has told of those that only it has entered.
      if (seen[at]) continue;
      seen[at] = true;
      found.add((long) at);
    }
  }

  private boolean[] find() {
    try {
      return (boolean[]) Class.forName("marmoset.Probe", true, app).getField("hits").get(null);
    } catch (ReflectiveOperationException e) {
      throw new RequestError(RequestError.INFRASTRUCTURE, "the app's class marmoset.Probe is not ours", e);
    }
  }
}
