package marmoset.hosted.sandbox;

import android.os.SystemClock;
import java.util.ArrayList;
import java.util.List;

/**
 * The app's background threads that sleep until a virtual time. They block for real; {@link Quiescence} moves the clock
 * and calls {@link #wake}. Any thread.
 */
final class Sleepers {
  private static final List<Long> DEADLINES = new ArrayList<>();
  private static int generation;

  private Sleepers() {}

  static void sleep(long millis) throws InterruptedException {
    synchronized (DEADLINES) {
      int bornIn = generation;
      Long deadline = SystemClock.uptimeMillis() + millis;
      DEADLINES.add(deadline);
      try {
        while (SystemClock.uptimeMillis() < deadline) {
          if (generation != bornIn) throw new ProcessExit();
          DEADLINES.wait();
        }
      } finally {
        DEADLINES.remove(deadline);
      }
    }
  }

  /** Lets those go on whose time has come. */
  static void wake() {
    synchronized (DEADLINES) {
      if (!DEADLINES.isEmpty()) DEADLINES.notifyAll();
    }
  }

  /** The earliest time at which a sleeper wants to go on; Long.MAX_VALUE where nobody sleeps. */
  static long next() {
    synchronized (DEADLINES) {
      long earliest = Long.MAX_VALUE;
      for (long deadline : DEADLINES) earliest = Math.min(earliest, deadline);
      return earliest;
    }
  }

  /** The app's process is gone: its sleeping threads end. */
  static void endAll() {
    synchronized (DEADLINES) {
      generation++;
      DEADLINES.notifyAll();
    }
  }
}
