package marmoset.hosted.sandbox;

import android.app.QueuedWork;
import android.os.AsyncTask;
import android.os.Build.VERSION;
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
import org.robolectric.versioning.AndroidVersions.O;
import org.robolectric.versioning.AndroidVersions.P;
import org.robolectric.versioning.AndroidVersions.V;

/**
 * The app's background threads: all threads in the main thread's group that the host did not start. They are real
 * threads, which {@link Gate} lets run one at a time; this class knows which they are, and ends them with the app's
 * process. Main thread, except {@link #isApp}.
 */
final class BackgroundThreads {
  /** A dying thread may still run the app's finally blocks. */
  private static final long END_MILLIS = 500;

  private static final String PREFERENCES = "android.app.SharedPreferencesImpl";
  private static final String WORKER = "java.util.concurrent.ThreadPoolExecutor$Worker";
  private static final Field TARGET = Fields.of(Thread.class, "target");

  /** The JDK numbers threads and pools for their names, which an app may show. */
  private static final Field THREADS = Fields.of(Thread.class, "threadInitNumber");

  private static final AtomicInteger POOLS =
      (AtomicInteger) Fields.get(Fields.of("java.util.concurrent.Executors$DefaultThreadFactory", "poolNumber"), null);
  private static final AtomicInteger TIMERS =
      (AtomicInteger) Fields.get(Fields.of(Timer.class, "nextSerialNumber"), null);

  /** The platform's pools that are made when they are first needed; a null is one that this level does not have. */
  private static final List<Field> POOLS_ON_DEMAND =
      Arrays.asList(
          Fields.ifPresent(AsyncTask.class, "sBackupExecutor"),
          Fields.ifPresent(AsyncTask.class, "sBackupExecutorQueue"),
          Fields.ifPresent(QueuedWork.class, "sSingleThreadExecutor"));

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

  /** Starts the framework's threads that outlive the app's processes, for Device.open. */
  static void startFramework() {
    if (VERSION.SDK_INT >= O.SDK_INT) ReflectionHelpers.callStaticMethod(QueuedWork.class, "getHandler");
    try {
      if (VERSION.SDK_INT >= P.SDK_INT) Class.forName("android.widget.Magnifier");
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
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
    makeAnew(AsyncTask.class);
    if (VERSION.SDK_INT >= V.SDK_INT) makeAnew(ReflectionHelpers.loadClass(getClass().getClassLoader(), PREFERENCES));
    for (Field pool : POOLS_ON_DEMAND) {
      if (pool != null) Fields.set(pool, null, null);
    }
    try {
      COMMON_CONTROL.setLong(ForkJoinPool.commonPool(), commonControl);
      COMMON_THREADS.setInt(ForkJoinPool.commonPool(), 0);
      Arrays.fill((Object[]) COMMON_QUEUES.get(ForkJoinPool.commonPool()), null);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void makeAnew(Class<?> type) {
    // Robolectric has made a method of the class's static initializer.
    ReflectionHelpers.callStaticMethod(type, "__staticInitializer__");
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
