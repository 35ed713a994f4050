package marmoset.hosted.sandbox;

import marmoset.hosted.GapRule;
import marmoset.hosted.StackText;

/** Turns uncaught exceptions into events, and remembers that the app's process has died of one. Any thread. */
final class Crashes {
  private final Events events;
  private final GapRule rule;
  private boolean dead;

  private String unreportedThread;
  private Throwable unreported;

  Crashes(Events events, GapRule rule) {
    this.events = events;
    this.rule = rule;
  }

  /**
   * An exception has reached the bottom of a thread of the app. Only the first of a process counts, as on a phone. Throws
   * where the app has left too little memory to report it; {@link #died} does so later.
   */
  synchronized void uncaught(String thread, Throwable error) {
    if (dead) return;
    dead = true;
    try {
      report(thread, error);
    } catch (OutOfMemoryError e) {
      dead = false;
      unreportedThread = thread;
      unreported = error;
      throw e;
    }
  }

  private void report(String thread, Throwable error) {
    if (AppRuntime.exit() != null || error instanceof ProcessExit) {
      events.add("exit", "how", String.valueOf(AppRuntime.exit()));
      return;
    }
    String gap = rule.gap(error);
    if (gap != null) {
      events.add("host_gap", "where", gap, "stack", StackText.full(error));
    } else {
      events.add("crash", "thread", thread, "stack", StackText.of(error), "cause", "java");
    }
  }

  /** For another cause than an exception that has reached the bottom of a thread. */
  synchronized void died(String cause, String thread, String stack) {
    if (dead) return;
    dead = true;
    if (unreported != null) {
      report(unreportedThread, unreported);
    } else {
      events.add("crash", "thread", thread, "stack", stack, "cause", cause);
    }
  }

  /** The app may have ended its process and then swallowed the unwinding. */
  synchronized boolean isDead() {
    if (!dead && AppRuntime.exit() != null) {
      dead = true;
      events.add("exit", "how", AppRuntime.exit());
    }
    return dead;
  }
}
