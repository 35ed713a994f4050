package app;

import java.util.concurrent.CountDownLatch;

/** A stand-in for code of an app: outside of the device's packages. */
public final class Locked {
  private Locked() {}

  public static void hold(CountDownLatch held, CountDownLatch release) throws InterruptedException {
    synchronized (held) {
      held.countDown();
      release.await();
    }
  }
}
