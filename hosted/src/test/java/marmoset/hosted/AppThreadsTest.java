package marmoset.hosted;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import app.AppCode;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.After;
import org.junit.Test;

public class AppThreadsTest {
  private final CountDownLatch release = new CountDownLatch(1);
  private final ThreadGroup group = new ThreadGroup("app");

  private interface Work {
    void run(CountDownLatch held, CountDownLatch release) throws InterruptedException;
  }

  private Thread start(Work work) throws InterruptedException {
    CountDownLatch there = new CountDownLatch(1);
    Thread thread =
        new Thread(
            group,
            () -> {
              try {
                work.run(there, release);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    thread.start();
    there.await();
    return thread;
  }

  @After
  public void letAllEnd() {
    release.countDown();
  }

  /** A stand-in for a class of the device whose methods are synchronized. */
  private static final class Guarded {
    synchronized void hold(CountDownLatch there, CountDownLatch release) throws InterruptedException {
      there.countDown();
      release.await();
    }

    synchronized void letGo(CountDownLatch there, CountDownLatch release) throws InterruptedException {
      there.countDown();
      while (release.getCount() > 0) wait(500);
    }

    synchronized void runFor(long millis) {
      long end = System.nanoTime() + millis * 1_000_000;
      while (System.nanoTime() < end) Thread.onSpinWait();
    }
  }

  private static void holdWithinTheJdk(CountDownLatch there, CountDownLatch release) {
    Collections.synchronizedList(List.of(release))
        .forEach(
            latch -> {
              there.countDown();
              try {
                latch.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
  }

  @Test
  public void aLockOfTheHostIsToldFromTheApps() throws Exception {
    List<Thread> threads =
        List.of(
            start(new Guarded()::hold),
            start(AppThreadsTest::holdWithinTheJdk),
            start(AppCode::hold),
            start(new Guarded()::letGo));
    Thread.sleep(50);
    assertTrue(AppThreads.holdsLockOfHost(threads.get(0)));
    assertTrue("one that the JDK has taken", AppThreads.holdsLockOfHost(threads.get(1)));
    assertFalse("one that the app has taken", AppThreads.holdsLockOfHost(threads.get(2)));
    assertFalse("one that waits lets go", AppThreads.holdsLockOfHost(threads.get(3)));
    release.countDown();
    for (Thread thread : threads) {
      thread.join();
      assertFalse("nothing is held in the end", AppThreads.holdsLockOfHost(thread));
    }
  }

  @Test
  public void theHeldGoOnUntilTheyKeepNoLockOfTheHost() throws Exception {
    Guarded guarded = new Guarded();
    Thread main =
        start(
            (there, end) -> {
              there.countDown();
              while (end.getCount() > 0) guarded.runFor(2);
            });
    AppThreads threads = new AppThreads(main, name -> false);
    for (int i = 0; i < 20; i++) {
      threads.hold();
      threads.freeLocks();
      assertFalse(AppThreads.holdsLockOfHost(main));
      threads.letGo();
    }
  }

  private static void hostWaits(CountDownLatch there, CountDownLatch release) throws InterruptedException {
    there.countDown();
    release.await();
  }

  private static void hostRuns(CountDownLatch there, CountDownLatch release) {
    there.countDown();
    while (release.getCount() > 0) Thread.onSpinWait();
  }

  /** The thread that is blamed, where all are held for a moment. */
  private static Thread inApp(Thread main) throws InterruptedException {
    // The ones that are to wait need not do so yet.
    Thread.sleep(50);
    AppThreads threads = new AppThreads(main, name -> name.startsWith("app."));
    threads.hold();
    threads.freeLocks();
    Thread blamed = threads.inApp();
    threads.letGo();
    return blamed;
  }

  @Test
  public void theOneThatRanInTheAppIsFound() throws Exception {
    Thread main = start(AppThreadsTest::hostWaits);
    start(AppThreadsTest::hostRuns);
    assertNull("none is in the app", inApp(main));
    Thread eater = start(AppCode::run);
    assertSame(eater, inApp(main));
  }

  @Test
  public void aMainThreadThatWaitsInTheAppIsTheSecondChoice() throws Exception {
    Thread main = start(AppCode::hold);
    assertSame(main, inApp(main));
    Thread eater = start(AppCode::run);
    assertSame(eater, inApp(main));
  }

  @Test
  public void aMainThreadThatRunsIsTheFirst() throws Exception {
    start(AppCode::run);
    Thread main = start(AppCode::run);
    assertSame(main, inApp(main));
  }

  @Test
  public void theHeldStandStillAndThenGoOn() throws Exception {
    AtomicLong steps = new AtomicLong();
    Thread main = start(AppThreadsTest::hostWaits);
    Thread worker =
        start(
            (there, end) -> {
              there.countDown();
              while (end.getCount() > 0) steps.incrementAndGet();
            });
    AppThreads threads = new AppThreads(main, name -> false);
    threads.hold();
    long before = steps.get();
    Thread.sleep(20);
    assertEquals(before, steps.get());
    threads.letGo();
    while (steps.get() == before) Thread.sleep(1);
    release.countDown();
    worker.join();
  }
}
