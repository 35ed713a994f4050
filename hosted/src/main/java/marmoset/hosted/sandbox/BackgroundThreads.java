package marmoset.hosted.sandbox;

import android.app.QueuedWork;
import android.os.AsyncTask;
import android.os.Looper;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Timer;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import marmoset.hosted.gate.Gate;
import org.robolectric.shadows.ShadowLooper;
import org.robolectric.util.ReflectionHelpers;

/**
 * The app's background threads: all threads in the main thread's group that the host did not start. They are real
 * threads, which {@link Gate} lets run one at a time; this class knows which they are, and ends them with the app's
 * process. Main thread, except {@link #isApp}.
 */
final class BackgroundThreads {
  /** A dying thread may still run the app's finally blocks. */
  private static final long END_MILLIS = 500;

  private static final String WORKER = "java.util.concurrent.ThreadPoolExecutor$Worker";
  private static final Field TARGET = Fields.of(Thread.class, "target");

  /** The JDK numbers threads and pools for their names, which an app may show. */
  private static final Field THREADS = Fields.of(Thread.class, "threadInitNumber");

  private static final AtomicInteger POOLS =
      (AtomicInteger) Fields.get(Fields.of("java.util.concurrent.Executors$DefaultThreadFactory", "poolNumber"), null);
  private static final AtomicInteger TIMERS =
      (AtomicInteger) Fields.get(Fields.of(Timer.class, "nextSerialNumber"), null);

  /** The pool of CompletableFuture and parallel streams: which threads it has, and what they are to do. */
  private static final Field COMMON_CONTROL = Fields.of(ForkJoinPool.class, "ctl");

  private static final Field COMMON_THREADS = Fields.of(ForkJoinPool.class, "threadIds");
  private static final Field COMMON_QUEUES = Fields.of(ForkJoinPool.class, "queues");

  private final long commonControl = (Long) Fields.get(COMMON_CONTROL, ForkJoinPool.commonPool());
  private final ThreadGroup group = Thread.currentThread().getThreadGroup();
  private final Thread main = Thread.currentThread();
  private final List<Thread> host;
  private Thread[] buffer = new Thread[64];

  /** Threads that are alive now are the host's. */
  BackgroundThreads() {
    host = alive();
  }

  /** Whether an exception on this thread is the app's. */
  boolean isApp(Thread thread) {
    return thread.getThreadGroup() != null && group.parentOf(thread.getThreadGroup());
  }

  /**
   * Starts the framework's thread that outlives the app's processes, so that the first process does not differ from the
   * others by having to wait for it.
   */
  static void startFramework() {
    ReflectionHelpers.callStaticMethod(QueuedWork.class, "getHandler");
    Gate.runOthers();
  }

  /** A new process: its threads and pools are numbered from the beginning. */
  void begin() {
    try {
      THREADS.setInt(null, 0);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
    POOLS.set(1);
    TIMERS.set(0);
  }

  /**
   * Ends all threads of the app, as the death of its process would. Those that ignore the interruption are stopped;
   * nothing of the app will run again that could see what they left half done. False where one goes on in spite of all.
   */
  @SuppressWarnings({"deprecation", "removal"})
  boolean endAll() {
    for (Looper looper : ShadowLooper.getAllLoopers()) {
      Thread thread = looper.getThread();
      if (thread != main && isApp(thread) && !Gate.isFramework(thread)) looper.quit();
    }
    List<Thread> threads = alive();
    threads.removeIf(Gate::isFramework);
    for (Thread thread : threads) shutDownPool(thread);
    Gate.end(threads);
    for (Thread thread : threads) thread.interrupt();
    long end = System.nanoTime() + END_MILLIS * 1_000_000;
    for (Thread thread : threads) {
      if (!Gate.dies(thread, 5)) thread.stop();
    }
    boolean dead = true;
    for (Thread thread : threads) dead &= Gate.dies(thread, Math.max(1, (end - System.nanoTime()) / 1_000_000));
    if (!threads.isEmpty()) renewPools();
    return dead;
  }

  /** A pool makes a new thread in place of one that dies, unless it is shut down. */
  private static void shutDownPool(Thread thread) {
    Object worker = Fields.get(TARGET, thread);
    if (worker == null || !worker.getClass().getName().equals(WORKER)) return;
    ((ExecutorService) ReflectionHelpers.getField(worker, "this$0")).shutdownNow();
  }

  /** The pools that the platform keeps in static fields have lost their threads, so the next process gets new ones. */
  private void renewPools() {
    // Robolectric has made a method of the class's static initializer.
    ReflectionHelpers.callStaticMethod(AsyncTask.class, "__staticInitializer__");
    ReflectionHelpers.setStaticField(AsyncTask.class, "sBackupExecutor", null);
    ReflectionHelpers.setStaticField(AsyncTask.class, "sBackupExecutorQueue", null);
    try {
      COMMON_CONTROL.setLong(ForkJoinPool.commonPool(), commonControl);
      COMMON_THREADS.setInt(ForkJoinPool.commonPool(), 0);
      Arrays.fill((Object[]) COMMON_QUEUES.get(ForkJoinPool.commonPool()), null);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
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
}
