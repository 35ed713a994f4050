package marmoset.hosted;

import static org.junit.Assert.assertEquals;

import app.AppCode;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
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
    assertEquals(true, whileIn(new Guarded()::hold, Stacks::holdsLockOfHost));
    assertEquals("one that waits has let go", false, whileIn(new Guarded()::letGo, Stacks::holdsLockOfHost));
    assertEquals("one that the JDK has taken", true, whileIn(StacksTest::holdWithinTheJdk, Stacks::holdsLockOfHost));
    assertEquals("one that the app has taken", false, whileIn(AppCode::hold, Stacks::holdsLockOfHost));
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

  @Test
  public void onlyWhatRunsWithinTheHostIsBusyThere() throws Exception {
    assertEquals(true, whileIn(StacksTest::run, Stacks::isBusyInHost));
    assertEquals("one that waits", false, whileIn(new Guarded()::hold, Stacks::isBusyInHost));
    assertEquals("the app's code", false, whileIn(AppCode::run, Stacks::isBusyInHost));
  }

  private static void run(CountDownLatch held, CountDownLatch release) {
    held.countDown();
    while (release.getCount() > 0) Thread.onSpinWait();
  }

  private interface Work {
    void run(CountDownLatch held, CountDownLatch release) throws InterruptedException;
  }

  @SuppressWarnings({"deprecation", "removal"})
  private static boolean whileIn(Work work, Predicate<Thread> asked) throws InterruptedException {
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run(held, release);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    thread.start();
    held.await();
    Thread.sleep(50);
    thread.suspend();
    boolean answer = asked.test(thread);
    thread.resume();
    release.countDown();
    thread.join();
    assertEquals("nothing is left in the end", false, asked.test(thread));
    return answer;
  }
}
