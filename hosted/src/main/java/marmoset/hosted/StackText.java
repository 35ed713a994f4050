package marmoset.hosted;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Writes a throwable as Android's log prints it: without the frames of the host, and with the names that the framework's
 * methods have on a phone. Stateless; any thread.
 */
public final class StackText {
  private static final String MANGLED = "$$robo$$";

  private static final int MAX_FRAMES = 200;

  /** Part of the names of the JVM's hidden classes; differs from run to run. */
  private static final Pattern ADDRESS = Pattern.compile("/0x[0-9a-f]{8,16}");

  /** The JDK's message of a failed cast ends with the class loaders, whose numbers differ from run to run. */
  private static final Pattern CAST =
      Pattern.compile("\\bclass (\\S+) cannot be cast to class (\\S+) \\([^)\n]* (?:loader|module) [^)\n]*\\)");

  private StackText() {}

  /** The whole text, with the chain of causes. */
  public static String of(Throwable error) {
    StringBuilder out = new StringBuilder(describe(error));
    List<StackTraceElement> outer = clean(error.getStackTrace());
    append(out, outer, 0);
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    seen.add(error);
    for (Throwable cause = error.getCause(); cause != null && seen.add(cause); cause = cause.getCause()) {
      List<StackTraceElement> frames = clean(cause.getStackTrace());
      out.append("\nCaused by: ").append(describe(cause));
      append(out, frames, commonTail(frames, outer));
      outer = frames;
    }
    return out.toString();
  }

  /** The text with every frame, the host's too: what a report of a host gap needs. */
  public static String full(Throwable error) {
    StringWriter text = new StringWriter();
    error.printStackTrace(new PrintWriter(text, true));
    return ADDRESS.matcher(text.toString().strip()).replaceAll("");
  }

  /** toString() may be the app's own code, and may throw. */
  private static String describe(Throwable error) {
    try {
      return asOnPhone(error.toString());
    } catch (RuntimeException | Error e) {
      return error.getClass().getName();
    }
  }

  /** A message of the JDK in Android's words, where they differ much. */
  static String asOnPhone(String message) {
    return CAST.matcher(message).replaceAll("$1 cannot be cast to $2");
  }

  private static void append(StringBuilder out, List<StackTraceElement> frames, int common) {
    int shown = frames.size() - common;
    for (int i = 0; i < Math.min(shown, MAX_FRAMES); i++) out.append("\n\tat ").append(frame(frames.get(i)));
    if (shown > MAX_FRAMES) out.append("\n\t... ").append(shown - MAX_FRAMES).append(" more");
    else if (common > 0) out.append("\n\t... ").append(common).append(" more");
  }

  /** One frame, as Android prints it: without the JDK's module names. */
  static String frame(StackTraceElement frame) {
    String place;
    if (frame.isNativeMethod()) place = "Native Method";
    else if (frame.getFileName() == null) place = "Unknown Source";
    else if (frame.getLineNumber() >= 0) place = frame.getFileName() + ":" + frame.getLineNumber();
    else place = frame.getFileName();
    return frame.getClassName() + "." + frame.getMethodName() + "(" + place + ")";
  }

  private static int commonTail(List<StackTraceElement> frames, List<StackTraceElement> outer) {
    int common = 0;
    while (common < frames.size() - 1
        && common < outer.size()
        && frames.get(frames.size() - 1 - common).equals(outer.get(outer.size() - 1 - common))) {
      common++;
    }
    return common;
  }

  /** The frames that a phone would show. */
  public static List<StackTraceElement> clean(StackTraceElement[] raw) {
    List<StackTraceElement> frames = new ArrayList<>();
    StackTraceElement inner = null;
    for (int i = 0; i < cutBelow(raw); i++) {
      StackTraceElement frame = raw[i];
      if (isHost(frame)) continue;
      StackTraceElement plain = plain(frame);
      // The wrapper around a framework method has the method's own name and no line of its own.
      boolean wrapper =
          inner != null
              && !frame.getMethodName().startsWith(MANGLED)
              && inner.getClassName().equals(plain.getClassName())
              && inner.getMethodName().equals(plain.getMethodName());
      inner = frame.getMethodName().startsWith(MANGLED) ? plain : null;
      if (!wrapper) frames.add(plain);
    }
    return frames;
  }

  /** Below the main loop there is only the host: the frames from its first one on, seen from the bottom, are dropped. */
  private static int cutBelow(StackTraceElement[] raw) {
    int end = raw.length;
    while (end > 0 && (isHost(raw[end - 1]) || isJdkThread(raw[end - 1].getClassName()))) end--;
    // A stack without any frame of the app or the framework is shown as it is, rather than not at all.
    return end == 0 ? raw.length : end == raw.length ? end : keepThread(raw, end);
  }

  /** A background thread's bottom frames (Thread.run and so on) belong to the app's stack, unless the host is among them. */
  private static int keepThread(StackTraceElement[] raw, int end) {
    for (int i = end; i < raw.length; i++) {
      if (isHost(raw[i])) return end;
    }
    return raw.length;
  }

  private static boolean isJdkThread(String className) {
    return className.startsWith("java.lang.Thread") || className.startsWith("java.util.concurrent.");
  }

  /** Whether a class of the app is on the stack; {@code isApp} says whether the APK has one of that name. */
  static boolean hasApp(StackTraceElement[] frames, Predicate<String> isApp) {
    for (StackTraceElement frame : frames) {
      if (isApp.test(frame.getClassName())) return true;
    }
    return false;
  }

  /** Whether the frame is the host's machinery. */
  static boolean isHost(StackTraceElement frame) {
    String name = frame.getClassName();
    return name.startsWith("org.robolectric.")
        || name.startsWith("marmoset.hosted.")
        || name.equals("marmoset.Probe")
        || name.startsWith("androidx.test.internal.runner.")
        || name.startsWith("java.lang.invoke.")
        || name.startsWith("jdk.internal.")
        || name.contains("$$Lambda")
        || frame.getMethodName().startsWith("$$robo$init");
  }

  /** The frame with the name that its method has on a phone. */
  static StackTraceElement plain(StackTraceElement frame) {
    String method = frame.getMethodName();
    if (!method.startsWith(MANGLED)) return frame;
    // $$robo$$android_view_View$performClick: the class with underscores, a dollar sign, the method.
    String rest = method.substring(MANGLED.length());
    String prefix = frame.getClassName().replace('.', '_') + "$";
    String name = rest.startsWith(prefix) ? rest.substring(prefix.length()) : rest.substring(rest.lastIndexOf('$') + 1);
    if (name.equals("__constructor__")) name = "<init>";
    if (name.equals("__staticInitializer__")) name = "<clinit>";
    return new StackTraceElement(frame.getClassName(), name, frame.getFileName(), frame.getLineNumber());
  }
}
