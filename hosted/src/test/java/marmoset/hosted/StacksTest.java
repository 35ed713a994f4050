package marmoset.hosted;

import static org.junit.Assert.assertEquals;

import app.Locked;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.Test;

public class StacksTest {
  /** A stand-in for a class of the device whose methods are synchronized. */
  private static final class Guarded {
    synchronized void hold(CountDownLatch held, CountDownLatch release) throws InterruptedException {
      held.countDown();
      release.await();
    }

    synchronized void letGo(CountDownLatch held, CountDownLatch release) throws InterruptedException {
      held.countDown();
      wait(500);
    }
  }

  @Test
  public void aLockOfTheHostIsToldFromTheApps() throws Exception {
    assertEquals(true, whileHolding(new Guarded()::hold));
    assertEquals("one that waits has let go", false, whileHolding(new Guarded()::letGo));
    assertEquals("one that the JDK has taken", true, whileHolding(StacksTest::holdWithinTheJdk));
    assertEquals("one that the app has taken", false, whileHolding(Locked::hold));
  }

  private static void holdWithinTheJdk(CountDownLatch held, CountDownLatch release) {
    Collections.synchronizedList(List.of(release))
        .forEach(
            latch -> {
              held.countDown();
              try {
                latch.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
  }

  private interface Holder {
    void hold(CountDownLatch held, CountDownLatch release) throws InterruptedException;
  }

  @SuppressWarnings({"deprecation", "removal"})
  private static boolean whileHolding(Holder holder) throws InterruptedException {
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Thread thread =
        new Thread(
            () -> {
              try {
                holder.hold(held, release);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    thread.start();
    held.await();
    Thread.sleep(50);
    thread.suspend();
    boolean holds = Stacks.holdsLockOfHost(thread);
    thread.resume();
    release.countDown();
    thread.join();
    assertEquals("nothing is held in the end", false, Stacks.holdsLockOfHost(thread));
    return holds;
  }
}
