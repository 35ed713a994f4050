package app;

import java.util.concurrent.CountDownLatch;

/** A stand-in for code of an app: outside of the device's packages. */
public final class AppCode {
  private AppCode() {}

  public static void hold(CountDownLatch held, CountDownLatch release) throws InterruptedException {
    synchronized (held) {
      held.countDown();
      release.await();
    }
  }

  public static void run(CountDownLatch held, CountDownLatch release) {
    held.countDown();
    while (release.getCount() > 0) Thread.onSpinWait();
  }
}
