package marmoset.hosted.sandbox;

import android.os.AsyncTask;
import android.os.Looper;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.locks.LockSupport;
import org.robolectric.shadows.ShadowLooper;
import org.robolectric.util.ReflectionHelpers;

/**
 * The app's background threads: all threads in the main thread's group that the host did not start. They are real
 * threads; this class waits until each of them waits for something, and ends them with the app's process. Main thread,
 * except {@link #isApp}.
 */
final class BackgroundThreads {
  /** A thread that computes longer than this in real time no longer holds the action up. */
  private static final long CAP_NANOS = 2_000_000_000L;

  /** Two looks so far apart must agree: a thread that was just woken still looks asleep for a moment. */
  private static final long LOOK_AGAIN_NANOS = 200_000L;

  /** A dying thread may still run the app's finally blocks. */
  private static final long END_MILLIS = 500;

  /** The framework keeps these in static fields, so they serve one process after the other. */
  private static final Set<String> FRAMEWORK = Set.of("queued-work-looper", "android.bg", "android.io", "android.fg");

  private static final String WORKER = "java.util.concurrent.ThreadPoolExecutor$Worker";
  private static final Field TARGET = target();

  private final ThreadGroup group = Thread.currentThread().getThreadGroup();
  private final Thread main = Thread.currentThread();
  private final List<Thread> host;

  /** Threads that were still busy at the cap; they are not waited for again until they have been quiet once. */
  private final Set<Thread> endless = new HashSet<>();

  private Thread[] buffer = new Thread[64];

  /** Threads that are alive now are the host's. */
  BackgroundThreads() {
    host = alive();
  }

  /** Whether an exception on this thread is the app's. */
  boolean isApp(Thread thread) {
    return thread.getThreadGroup() != null && group.parentOf(thread.getThreadGroup());
  }

  /** Waits until all threads are quiet or the cap is reached. Returns whether any of them was busy. */
  boolean await() {
    List<Thread> threads = waitedFor();
    if (threads.isEmpty()) return false;
    boolean sawBusy = false;
    long end = System.nanoTime() + CAP_NANOS;
    int quietLooks = 0;
    while (quietLooks < 2 && System.nanoTime() < end) {
      boolean busy = false;
      for (Thread thread : threads) busy |= isBusy(thread);
      if (busy) sawBusy = true;
      quietLooks = busy ? 0 : quietLooks + 1;
      if (quietLooks < 2) {
        LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        threads = waitedFor();
      }
    }
    if (quietLooks < 2) {
      for (Thread thread : threads) {
        if (isBusy(thread)) endless.add(thread);
      }
    }
    return sawBusy;
  }

  private List<Thread> waitedFor() {
    List<Thread> threads = alive();
    if (!endless.isEmpty()) {
      endless.removeIf(thread -> !isBusy(thread));
      threads.removeAll(endless);
    }
    return threads;
  }

  /**
   * Ends all threads of the app, as the death of its process would. Those that ignore the interruption are stopped;
   * nothing of the app will run again that could see what they left half done.
   */
  @SuppressWarnings({"deprecation", "removal"})
  void endAll() {
    endless.clear();
    for (Looper looper : ShadowLooper.getAllLoopers()) {
      Thread thread = looper.getThread();
      if (thread != main && isApp(thread) && !FRAMEWORK.contains(thread.getName())) looper.quit();
    }
    List<Thread> threads = alive();
    threads.removeIf(thread -> FRAMEWORK.contains(thread.getName()));
    for (Thread thread : threads) {
      shutDownPool(thread);
      thread.interrupt();
    }
    long end = System.nanoTime() + END_MILLIS * 1_000_000;
    for (Thread thread : threads) {
      if (!joins(thread, 5)) thread.stop();
    }
    for (Thread thread : threads) joins(thread, Math.max(1, (end - System.nanoTime()) / 1_000_000));
  }

  /** A pool makes a new thread in place of one that dies, unless it is shut down. */
  private static void shutDownPool(Thread thread) {
    try {
      Object worker = TARGET.get(thread);
      if (worker == null || !worker.getClass().getName().equals(WORKER)) return;
      Object pool = ReflectionHelpers.getField(worker, "this$0");
      if (pool != AsyncTask.THREAD_POOL_EXECUTOR) ((ExecutorService) pool).shutdownNow();
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Field target() {
    try {
      Field field = Thread.class.getDeclaredField("target");
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean joins(Thread thread, long millis) {
    try {
      thread.join(millis);
    } catch (InterruptedException e) {
      // The app may have interrupted its own main thread; that must not reach the next process.
      Thread.interrupted();
    }
    return !thread.isAlive();
  }

  private List<Thread> alive() {
    int count = group.enumerate(buffer);
    while (count == buffer.length) {
      buffer = new Thread[buffer.length * 2];
      count = group.enumerate(buffer);
    }
    List<Thread> threads = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      if (buffer[i] != main && (host == null || !host.contains(buffer[i]))) threads.add(buffer[i]);
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
