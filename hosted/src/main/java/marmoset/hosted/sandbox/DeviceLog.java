package marmoset.hosted.sandbox;

import android.app.Application;
import android.util.Log;
import android.view.View;
import android.view.ViewGroup;
import android.widget.TextView;
import android.widget.Toast;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.regex.Pattern;
import marmoset.hosted.StackText;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowApplication;
import org.robolectric.shadows.ShadowLog;
import org.robolectric.util.ReflectionHelpers;

/** Moves what the app has logged or printed into the events. Any thread. */
final class DeviceLog {
  private static final int MAX_MESSAGE = 4000;

  /** So many lines may wait in Robolectric's log, which has no bound. */
  private static final int MAX_WAITING = 1000;

  /** What the host's own parts log says nothing about the app. */
  private static final Set<String> HOST_TAGS = Set.of("OverlayConfig", "PackageParser", "WindowOnBackDispatcher");

  /** Robolectric prints this for every broadcast. */
  private static final Pattern HOST_OUTPUT = Pattern.compile("^Intent = .*; Matching wrappers: \\[");

  private static final Pattern LAMBDA = Pattern.compile("\\$\\$Lambda\\$[0-9]+/0x[0-9a-f]+(@[0-9a-f]+)?");

  private final Events events;

  private int waiting;

  DeviceLog(Events events) {
    this.events = events;
  }

  /** Bounds Robolectric's log, which asks for the time of each line and forgets whom to ask whenever it is cleared. */
  void bound() {
    ShadowLog.setTimeSupplier(this::lineComes);
  }

  private synchronized String lineComes() {
    if (++waiting >= MAX_WAITING) drain();
    return null;
  }

  /** From now on System.out and System.err are Android's log, as on a phone. */
  static void captureStandardStreams() {
    System.setOut(new PrintStream(new LineStream("System.out", Log.INFO), true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(new LineStream("System.err", Log.WARN), true, StandardCharsets.UTF_8));
  }

  /** Adds all new lines to the events. */
  synchronized void drain() {
    waiting = 0;
    for (ShadowLog.LogItem item : ShadowLog.getLogs()) {
      String message = String.valueOf(item.msg);
      if (HOST_TAGS.contains(item.tag) || HOST_OUTPUT.matcher(message).find()) continue;
      if (item.throwable != null) message += "\n" + StackText.of(item.throwable);
      // The name of a lambda holds an address of this JVM, which differs from run to run.
      if (message.contains("$$Lambda")) message = LAMBDA.matcher(message).replaceAll("\\$\\$Lambda");
      if (message.length() > MAX_MESSAGE) message = message.substring(0, MAX_MESSAGE);
      events.add("log", "level", level(item.type), "tag", String.valueOf(item.tag), "message", message);
    }
    ShadowLog.clear();
    bound();
  }

  /** Adds the toasts that were shown. REQUIRES: the application exists. */
  void drainToasts(Application application) {
    ShadowApplication shadow = Shadow.extract(application);
    for (Toast toast : shadow.getShownToasts()) {
      String text = ReflectionHelpers.getField(Shadow.extract(toast), "text");
      events.add("toast", "text", text != null ? text : textOf(toast.getView()));
    }
    shadow.getShownToasts().clear();
  }

  private static String textOf(View view) {
    if (view instanceof TextView label) return label.getText().toString();
    if (!(view instanceof ViewGroup group)) return "";
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < group.getChildCount(); i++) {
      String part = textOf(group.getChildAt(i));
      if (!part.isEmpty()) text.append(text.length() > 0 ? " " : "").append(part);
    }
    return text.toString();
  }

  private static String level(int priority) {
    String letters = "VDIWEF";
    int index = Math.max(0, Math.min(priority - Log.VERBOSE, letters.length() - 1));
    return letters.substring(index, index + 1);
  }

  private static final class LineStream extends OutputStream {
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final String tag;
    private final int priority;

    LineStream(String tag, int priority) {
      this.tag = tag;
      this.priority = priority;
    }

    @Override
    public synchronized void write(int b) {
      if (b == '\n') {
        Log.println(priority, tag, line.toString(StandardCharsets.UTF_8));
        line.reset();
      } else if (line.size() < MAX_MESSAGE) {
        line.write(b);
      }
    }
  }
}
