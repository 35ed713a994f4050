package marmoset.hosted.sandbox;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What happened since the last action, in order, as the protocol's {@code happened} list. Any thread. */
final class Events {
  /** An app that floods the log must not fill the host's memory. */
  private static final int MAX_EVENTS = 5000;

  private final List<Map<String, Object>> events = new ArrayList<>();
  private long leftOut;

  /** Adds one event: its kind, then keys and values in turn. */
  synchronized void add(String kind, Object... keysAndValues) {
    if (events.size() >= MAX_EVENTS && kind.equals("log")) {
      leftOut++;
      return;
    }
    events.add(event(kind, keysAndValues));
  }

  private static Map<String, Object> event(String kind, Object... keysAndValues) {
    Map<String, Object> event = new LinkedHashMap<>();
    event.put("kind", kind);
    for (int i = 0; i < keysAndValues.length; i += 2) event.put((String) keysAndValues[i], keysAndValues[i + 1]);
    return event;
  }

  synchronized void addAll(List<Map<String, Object>> earlier) {
    events.addAll(0, earlier);
  }

  /** Returns all events and forgets them. */
  synchronized List<Map<String, Object>> take() {
    List<Map<String, Object>> taken = new ArrayList<>(events);
    if (leftOut > 0) {
      String message = "more than " + MAX_EVENTS + " lines in one action: " + leftOut + " left out";
      taken.add(event("log", "level", "W", "tag", "marmoset", "message", message));
    }
    events.clear();
    leftOut = 0;
    return taken;
  }
}
