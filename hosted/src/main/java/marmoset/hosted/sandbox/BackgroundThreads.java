package marmoset.hosted.sandbox;

import android.os.Looper;
import android.os.SystemClock;
import java.util.ArrayList;
import java.util.List;

/**
 * The app's background threads: all threads that were born after the process started, in the main thread's group. They
 * are real threads; this class waits until each of them waits for something. Main thread.
 */
final class BackgroundThreads {
  /** A thread that computes longer than this in real time no longer holds the action up. */
  private static final long CAP_NANOS = 2_000_000_000L;

  /** Two looks so far apart must agree: a thread that was just woken still looks asleep for a moment. */
  private static final long LOOK_AGAIN_NANOS = 200_000L;

  private final ThreadGroup group = Thread.currentThread().getThreadGroup();
  private final Thread main = Thread.currentThread();
  private Thread[] buffer = new Thread[64];
  private List<Thread> known = List.of();

  /** Threads that are alive now belong to the host, or to a process that is gone. */
  void forgetPresent() {
    known = alive();
  }

  /** Waits until all threads are quiet or the cap is reached. Returns whether any of them was busy. */
  boolean await() {
    List<Thread> threads = alive();
    threads.removeAll(known);
    if (threads.isEmpty()) return false;
    boolean sawBusy = false;
    long end = System.nanoTime() + CAP_NANOS;
    int quietLooks = 0;
    while (quietLooks < 2 && System.nanoTime() < end) {
      boolean busy = false;
      for (Thread thread : threads) busy |= isBusy(thread);
      if (busy) {
        sawBusy = true;
        quietLooks = 0;
      } else {
        quietLooks++;
      }
      if (quietLooks < 2) java.util.concurrent.locks.LockSupport.parkNanos(LOOK_AGAIN_NANOS);
      threads = alive();
      threads.removeAll(known);
    }
    return sawBusy;
  }

  private List<Thread> alive() {
    int count = group.enumerate(buffer);
    while (count == buffer.length) {
      buffer = new Thread[buffer.length * 2];
      count = group.enumerate(buffer);
    }
    List<Thread> threads = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      if (buffer[i] != main) threads.add(buffer[i]);
      buffer[i] = null;
    }
    return threads;
  }

  private static boolean isBusy(Thread thread) {
    return switch (thread.getState()) {
      case RUNNABLE, BLOCKED, NEW -> true;
      default -> false;
    };
  }
}
