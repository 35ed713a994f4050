package marmoset.hosted.sandbox;

import android.os.Looper;
import android.os.Message;
import android.os.MessageQueue;
import android.os.SystemClock;
import java.lang.reflect.Field;
import java.time.Duration;
import org.robolectric.shadows.ShadowChoreographer;
import org.robolectric.shadows.ShadowLooper;
import org.robolectric.shadows.ShadowSystemClock;

/**
 * Waits until the app is quiet. Virtual time then moves by a fixed budget, from one due thing to the next; so an endless
 * animation costs a bounded number of frames, and a tap and the next one never make a double tap.
 *
 * <p>Background threads run for real. Before the clock moves, and whenever the main looper has nothing due, they are
 * waited for ({@link BackgroundThreads}), so that what they post is seen at the same virtual time in every run. Main
 * thread.
 */
final class Quiescence {
  /** Longer than the time within which two taps are a double tap (300 ms). */
  private static final long BUDGET_MS = 400;

  private static final Field MESSAGES = field(MessageQueue.class, "mMessages");
  private static final Field NEXT_MESSAGE = field(Message.class, "next");
  private static final Field NEXT_VSYNC = field(ShadowChoreographer.class, "nextVsyncTimeNanos");

  private final BackgroundThreads threads;

  Quiescence(BackgroundThreads threads) {
    this.threads = threads;
  }

  private static Field field(Class<?> owner, String name) {
    try {
      Field field = owner.getDeclaredField(name);
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Object get(Field field, Object owner) {
    try {
      return field.get(owner);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Runs the app until it is quiet and the usual time between two actions has passed. */
  void settle() {
    advance(BUDGET_MS);
  }

  /** Lets so much virtual time pass, and does all that falls due. */
  void advance(long millis) {
    long end = SystemClock.uptimeMillis() + millis;
    while (true) {
      runDue();
      long now = SystemClock.uptimeMillis();
      long next = nextDue();
      if (next > end) {
        if (now < end) moveTo(end);
        runDue();
        if (nextDue() > SystemClock.uptimeMillis()) return;
        continue;
      }
      moveTo(Math.max(next, now));
      if (SystemClock.uptimeMillis() >= end && next <= now) {
        runDue();
        return;
      }
    }
  }

  /** Runs the main looper and the background threads until neither has anything due. */
  private void runDue() {
    for (int round = 0; round < 100; round++) {
      ShadowLooper.idleMainLooper();
      if (!threads.await()) return;
      if (!mainHasDue() && round > 0) return;
    }
  }

  private boolean mainHasDue() {
    return nextMessage(Looper.getMainLooper()) <= SystemClock.uptimeMillis();
  }

  private void moveTo(long time) {
    long now = SystemClock.uptimeMillis();
    if (time > now) ShadowSystemClock.advanceBy(Duration.ofMillis(time - now));
    Sleepers.wake();
  }

  /** The virtual time at which something is due next: a message, a frame, or a sleeper. */
  private long nextDue() {
    long next = Math.min(nextFrame(), Sleepers.next());
    for (Looper looper : ShadowLooper.getAllLoopers()) {
      if (looper.getThread().isAlive()) next = Math.min(next, nextMessage(looper));
    }
    return next;
  }

  private static long nextFrame() {
    long nanos = (Long) get(NEXT_VSYNC, null);
    // Rounded up: the frame comes when the clock has reached it.
    return nanos == 0 ? Long.MAX_VALUE : (nanos + 999_999) / 1_000_000;
  }

  private static long nextMessage(Looper looper) {
    MessageQueue queue = looper.getQueue();
    synchronized (queue) {
      Message message = (Message) get(MESSAGES, queue);
      // Behind a barrier only asynchronous messages run.
      boolean barrier = message != null && message.getTarget() == null;
      while (message != null && (message.getTarget() == null || (barrier && !message.isAsynchronous()))) {
        message = (Message) get(NEXT_MESSAGE, message);
      }
      return message == null ? Long.MAX_VALUE : message.getWhen();
    }
  }
}
