package marmoset.hosted;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** The text of an ANR report: the reason, then stacks, the main thread's first. Any thread. */
public final class Stacks {
  private Stacks() {}

  /** With the stacks of all threads. */
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

  private static void append(StringBuilder text, StackTraceElement[] frames) {
    if (frames == null) return;
    for (StackTraceElement frame : StackText.clean(frames)) text.append("\n\tat ").append(StackText.frame(frame));
  }
}
