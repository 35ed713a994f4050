package marmoset.hosted.sandbox;

import android.os.Looper;
import android.view.Choreographer;
import java.lang.ref.Reference;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the main thread keeps in thread-local variables: it outlives the app's processes, and on a phone is a new one in
 * each. Without this an app's StrictMode policy would hold for the next process, and whatever the app itself keeps so
 * would hold the app's classes for ever. Main thread.
 */
final class ThreadLocals {
  /** Belong to the main thread for good: Robolectric itself gives them to each process as if they were new. */
  private static final List<Field> ROBOLECTRIC =
      List.of(Fields.of(Looper.class, "sThreadLocal"), Fields.of(Choreographer.class, "sThreadInstance"));

  private static final Field VARIABLES = Fields.of(Thread.class, "threadLocals");
  private static final Field INHERITABLE = Fields.of(Thread.class, "inheritableThreadLocals");
  private static final Field TABLE = Fields.of("java.lang.ThreadLocal$ThreadLocalMap", "table");
  private static final Field VALUE = Fields.of("java.lang.ThreadLocal$ThreadLocalMap$Entry", "value");

  private final Map<ThreadLocal<Object>, Object> host = read();

  /** Back to what there was at the beginning. */
  void restore() {
    Map<ThreadLocal<Object>, Object> now = read();
    Thread main = Thread.currentThread();
    Fields.set(VARIABLES, main, null);
    Fields.set(INHERITABLE, main, null);
    host.forEach(ThreadLocal::set);
    for (Field field : ROBOLECTRIC) {
      @SuppressWarnings("unchecked")
      ThreadLocal<Object> variable = (ThreadLocal<Object>) Fields.get(field, null);
      if (now.containsKey(variable)) variable.set(now.get(variable));
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<ThreadLocal<Object>, Object> read() {
    Map<ThreadLocal<Object>, Object> all = new IdentityHashMap<>();
    Object variables = Fields.get(VARIABLES, Thread.currentThread());
    if (variables == null) return all;
    Object table = Fields.get(TABLE, variables);
    for (int i = 0; i < Array.getLength(table); i++) {
      Object entry = Array.get(table, i);
      if (entry == null) continue;
      ThreadLocal<Object> variable = ((Reference<ThreadLocal<Object>>) entry).get();
      if (variable != null) all.put(variable, Fields.get(VALUE, entry));
    }
    return all;
  }
}
