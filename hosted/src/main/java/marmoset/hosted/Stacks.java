package marmoset.hosted;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** The texts of reports on apps that did not end by an exception of their own. Any thread. */
public final class Stacks {
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

  /** Where the thread was when the memory was full, if any: the exception that a phone would have thrown about there. */
  static String outOfMemory(Thread thread) {
    StringBuilder text = new StringBuilder("java.lang.OutOfMemoryError: the app has filled the heap");
    if (thread != null) append(text, thread.getStackTrace());
    return text.toString();
  }

  private static void append(StringBuilder text, StackTraceElement[] frames) {
    if (frames == null) return;
    for (StackTraceElement frame : StackText.clean(frames)) text.append("\n\tat ").append(StackText.frame(frame));
  }
}
