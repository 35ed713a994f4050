package marmoset.hosted;

import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The main thread and all that runs beside it, held while the watchdog reports that the memory is full: they would take its
 * reserve, too, before the report is written. For the watchdog's thread.
 */
final class AppThreads {
  /** In real time: so long they may take to let go of a lock that the report needs. An app may never do so. */
  private static final long LETTING_GO_NANOS = 5_000_000_000L;

  private static final Pattern HOST = Pattern.compile("(marmoset\\.hosted|java|jdk|sun)\\.");

  private final Thread main;
  private final Predicate<String> isApp;

  /** Made while there is room. Threads beyond so many are not held. */
  private final Thread[] beside = new Thread[1024];

  private final List<Thread> held = new ArrayList<>(beside.length);

  /** isApp says whether the APK has a class of that name. */
  AppThreads(Thread main, Predicate<String> isApp) {
    this.main = main;
    this.isApp = isApp;
  }

  /** All that could take memory: not those that wait, for they are woken by one of these. */
  void hold() {
    held.clear();
    held.add(main);
    int count = main.getThreadGroup().enumerate(beside);
    for (int i = 0; i < count; i++) {
      Thread thread = beside[i];
      boolean runs = thread.getState() == Thread.State.RUNNABLE;
      if (runs && thread != main && thread != Thread.currentThread()) held.add(thread);
    }
    suspend();
  }

  /** They may be loading a class, or be about to report the app's end; so they go on until they keep no lock of the host. */
  void freeLocks() {
    long end = System.nanoTime() + LETTING_GO_NANOS;
    while (holdLockOfHost() && System.nanoTime() < end) {
      resume();
      Thread.yield();
      suspend();
    }
  }

  private boolean holdLockOfHost() {
    for (Thread thread : held) {
      if (holdsLockOfHost(thread)) return true;
    }
    return false;
  }

  /** Whether the thread holds a lock that it has taken within the device or the JDK, or one of an object of the device. */
  static boolean holdsLockOfHost(Thread thread) {
    ThreadInfo[] info = ManagementFactory.getThreadMXBean().getThreadInfo(new long[] {thread.getId()}, true, false);
    if (info[0] == null) return false;
    for (MonitorInfo lock : info[0].getLockedMonitors()) {
      if (lock.getClassName().startsWith("marmoset.hosted.")) return true;
      if (HOST.matcher(lock.getLockedStackFrame().getClassName()).lookingAt()) return true;
    }
    return false;
  }

  void letGo() {
    resume();
    held.clear();
  }

  /** The held one that was in the app's code, rather one that ran than one that waited there; null where none was. */
  Thread inApp() {
    Thread waiting = null;
    for (Thread thread : held) {
      if (!StackText.hasApp(thread.getStackTrace(), isApp)) continue;
      if (thread.getState() == Thread.State.RUNNABLE) return thread;
      if (waiting == null) waiting = thread;
    }
    return waiting;
  }

  @SuppressWarnings({"deprecation", "removal"})
  private void suspend() {
    for (Thread thread : held) thread.suspend();
  }

  @SuppressWarnings({"deprecation", "removal"})
  private void resume() {
    for (Thread thread : held) thread.resume();
  }
}
