package marmoset.hosted.sandbox;

import android.os.Looper;
import android.os.Message;
import android.os.MessageQueue;
import android.os.SystemClock;
import dalvik.system.BlockGuard;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import marmoset.hosted.gate.Gate;
import org.robolectric.shadows.ShadowChoreographer;
import org.robolectric.shadows.ShadowLooper;
import org.robolectric.shadows.ShadowSystemClock;

/**
 * Waits until the app is quiet. Virtual time then moves by a fixed budget, from one due thing to the next; so an endless
 * animation costs a bounded number of frames, and a tap and the next one never make a double tap.
 *
 * <p>Before the clock moves, and whenever the main looper has nothing due, the background threads run until all of them
 * wait ({@link Gate}), so that what they post is seen at the same virtual time in every run. Main thread, except what
 * the gate calls.
 */
final class Quiescence implements Gate.World {
  /** Longer than the time within which two taps are a double tap (300 ms). */
  private static final long BUDGET_MS = 400;

  /**
   * So many messages at one time are free. A phone's clock would go on; here an app that posts to itself until some time
   * has come, as a fling does, would never see it come.
   */
  private static final int FREE_MESSAGES = 1000;

  private static final Field MESSAGES = Fields.of(MessageQueue.class, "mMessages");
  private static final Field NEXT_MESSAGE = Fields.of(Message.class, "next");
  private static final Field NEXT_VSYNC = Fields.of(ShadowChoreographer.class, "nextVsyncTimeNanos");

  // Of the present run of the main looper.
  private long end;
  private int messages;
  private int barrier;

  private final Consumer<String> leftToChance;
  private final Supplier<Error> notResponding;

  /**
   * {@code leftToChance} hears why the order of threads was not the seed's; {@code notResponding} ends an app whose main
   * thread waits for too long.
   */
  Quiescence(Consumer<String> leftToChance, Supplier<Error> notResponding) {
    this.leftToChance = leftToChance;
    this.notResponding = notResponding;
  }

  /** Runs the app until it is quiet and the usual time between two actions has passed. */
  void settle() {
    advance(BUDGET_MS);
  }

  /** Lets so much virtual time pass, and does all that falls due. */
  void advance(long millis) {
    end = SystemClock.uptimeMillis() + millis;
    removeBarrier();
    while (true) {
      if (!runDue()) return;
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

  /**
   * Runs the main looper and the background threads until neither has anything due. False: the app always has something
   * due, and the time is up.
   */
  private boolean runDue() {
    for (int round = 0; round < 100; round++) {
      messages = 0;
      ShadowLooper.idleMainLooper();
      if (removeBarrier()) {
        Gate.runOthers();
        return false;
      }
      if (!Gate.runOthers()) return true;
      if (!mainHasDue() && round > 0) return true;
    }
    return true;
  }

  /** Messages also run outside of this class, when the framework's controllers show an activity. */
  private boolean removeBarrier() {
    if (barrier == 0) return false;
    try {
      queue().removeSyncBarrier(barrier);
    } catch (IllegalStateException e) {
      // It went with the queue of a process that died.
    }
    barrier = 0;
    return true;
  }

  private static MessageQueue queue() {
    return Looper.getMainLooper().getQueue();
  }

  @Override
  public void networkBegins() {
    BlockGuard.getThreadPolicy().onNetwork();
  }

  @Override
  public void messageBegins() {
    if (++messages <= FREE_MESSAGES) return;
    moveTo(SystemClock.uptimeMillis() + 1);
    // Behind a barrier nothing is due, so the looper comes back.
    if (barrier == 0 && SystemClock.uptimeMillis() > end) barrier = queue().postSyncBarrier();
  }

  private boolean mainHasDue() {
    return nextMessage(Looper.getMainLooper()) <= SystemClock.uptimeMillis();
  }

  private void moveTo(long time) {
    long now = SystemClock.uptimeMillis();
    if (time > now) ShadowSystemClock.advanceBy(Duration.ofMillis(time - now));
    Gate.clockMoved();
  }

  @Override
  public long nanoTime() {
    return SystemClock.elapsedRealtimeNanos();
  }

  @Override
  public long currentTimeMillis() {
    return AppRuntime.wallClock();
  }

  /** The main thread itself waits for another one, so its own messages do not count. */
  @Override
  public boolean advance() {
    long now = SystemClock.uptimeMillis();
    long next = Math.min(nextBackgroundMessage(), nextDeadline());
    if (next == Long.MAX_VALUE || next <= now) return false;
    moveTo(next);
    return true;
  }

  @Override
  public Error notResponding() {
    return notResponding.get();
  }

  @Override
  public void leftToChance(String why) {
    leftToChance.accept(why);
  }

  /** The virtual time at which something is due next: a message, a frame, or a thread that waits for a time. */
  private long nextDue() {
    long next = Math.min(nextFrame(), nextMessage(Looper.getMainLooper()));
    return Math.min(next, Math.min(nextBackgroundMessage(), nextDeadline()));
  }

  /** What is due already waits for its thread, which waits for something else. */
  private static long nextBackgroundMessage() {
    long now = SystemClock.uptimeMillis();
    long next = Long.MAX_VALUE;
    for (Looper looper : ShadowLooper.getAllLoopers()) {
      if (looper == Looper.getMainLooper() || !looper.getThread().isAlive()) continue;
      long when = nextMessage(looper);
      if (when > now) next = Math.min(next, when);
    }
    return next;
  }

  /** In milliseconds, rounded up: a thread goes on when the clock has come to its deadline. */
  private static long nextDeadline() {
    long nanos = Gate.nextDeadline();
    return nanos == Long.MAX_VALUE ? nanos : nanos / 1_000_000 + (nanos % 1_000_000 == 0 ? 0 : 1);
  }

  private static long nextFrame() {
    long nanos = (Long) Fields.get(NEXT_VSYNC, null);
    // Rounded up: the frame comes when the clock has reached it.
    return nanos == 0 ? Long.MAX_VALUE : (nanos + 999_999) / 1_000_000;
  }

  private static long nextMessage(Looper looper) {
    MessageQueue queue = looper.getQueue();
    synchronized (queue) {
      Message message = (Message) Fields.get(MESSAGES, queue);
      // Behind a barrier only asynchronous messages run.
      boolean barrier = message != null && message.getTarget() == null;
      while (message != null && (message.getTarget() == null || (barrier && !message.isAsynchronous()))) {
        message = (Message) Fields.get(NEXT_MESSAGE, message);
      }
      return message == null ? Long.MAX_VALUE : message.getWhen();
    }
  }
}
