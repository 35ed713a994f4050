package marmoset.hosted;

import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The texts of reports on apps that did not end by an exception of their own. Any thread. */
public final class Stacks {
  private static final Pattern HOST = Pattern.compile("(marmoset\\.hosted|java|jdk|sun)\\.");

  private Stacks() {}

  /** Of an ANR: the reason, then the stacks of all threads, the main thread's first. */
  public static String all(Thread main, String reason) {
    StringBuilder text = new StringBuilder("android.app.ApplicationNotResponding: ").append(reason);
    Map<Thread, StackTraceElement[]> stacks = Thread.getAllStackTraces();
    append(text, stacks.get(main));
    List<Thread> others = new ArrayList<>(stacks.keySet());
    others.remove(main);
    others.removeIf(thread -> StackText.clean(stacks.get(thread)).isEmpty());
    others.sort(Comparator.comparing(Thread::getName));
    for (Thread thread : others) {
      text.append("\n\"").append(thread.getName()).append("\" ").append(thread.getState());
      append(text, stacks.get(thread));
    }
    return text.toString();
  }

  /** Where the main thread was when the memory was full: the exception that a phone would have thrown about there. */
  static String outOfMemory(Thread main) {
    StringBuilder text = new StringBuilder("java.lang.OutOfMemoryError: the app has filled the heap");
    append(text, main.getStackTrace());
    return text.toString();
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

  /** Whether the thread is busy with the device's own work; one that waits there is not: it may wait for the app. */
  static boolean isBusyInHost(Thread thread) {
    if (thread.getState() != Thread.State.RUNNABLE) return false;
    for (StackTraceElement frame : thread.getStackTrace()) {
      if (!StackText.isHost(frame) && !HOST.matcher(frame.getClassName()).lookingAt()) return false;
    }
    return true;
  }

  private static void append(StringBuilder text, StackTraceElement[] frames) {
    if (frames == null) return;
    for (StackTraceElement frame : StackText.clean(frames)) text.append("\n\tat ").append(StackText.frame(frame));
  }
}
