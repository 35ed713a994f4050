package marmoset.hosted;

import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import marmoset.hosted.gate.Gate;

/**
 * {@code GateProgram SCENARIO SEED…}: threads under the gate, in a JVM of their own with the agent; {@link GateTest}
 * starts it. Prints one line per seed: what happened, in order.
 */
public final class GateProgram {
  private final StringBuilder happened = new StringBuilder();
  private volatile boolean flag;

  private GateProgram() {}

  public static void main(String[] args) throws Exception {
    VirtualWorld world = new VirtualWorld();
    Gate.enroll(world, args[0].equals("blocked") ? TimeUnit.SECONDS.toNanos(5) : Long.MAX_VALUE);
    for (int i = 1; i < args.length; i++) {
      Gate.resume();
      Gate.reset(Long.parseLong(args[i]), 0);
      GateProgram program = new GateProgram();
      world.start = world.now;
      program.world = world;
      program.run(args[0]);
      Gate.pause();
      System.out.println(program.happened);
    }
    Runtime.getRuntime().halt(0);
  }

  private VirtualWorld world;

  private void run(String scenario) throws Exception {
    switch (scenario) {
      case "pool" -> pool();
      case "steps" -> steps();
      case "times" -> times();
      case "waits" -> waits();
      case "interrupts" -> interrupts();
      case "spins" -> spins();
      case "monitors" -> monitors();
      case "blocked" -> blocked();
      default -> throw new IllegalArgumentException(scenario);
    }
  }

  private void log(String what) {
    synchronized (happened) {
      happened.append(happened.length() == 0 ? "" : " ").append(what);
    }
  }

  private void timed(String what) {
    log(what + "@" + (world.now - world.start) / 1_000_000);
  }

  /** Which of two workers goes on is open at each task. */
  private void pool() {
    ExecutorService pool = Executors.newFixedThreadPool(2);
    for (int i = 0; i < 6; i++) {
      int task = i;
      pool.execute(() -> log("" + task));
    }
    Gate.runOthers();
    pool.shutdown();
    Gate.runOthers();
  }

  private void steps() {
    for (String name : new String[] {"a", "b", "c"}) {
      new Thread(
              () -> {
                for (int i = 0; i < 4; i++) {
                  Gate.step();
                  log(name);
                }
              })
          .start();
    }
    Gate.runOthers();
  }

  /** All of these wait in virtual time. */
  private void times() throws Exception {
    ScheduledExecutorService scheduled = Executors.newScheduledThreadPool(2);
    scheduled.schedule(() -> timed("once"), 5, TimeUnit.MINUTES);
    scheduled.scheduleAtFixedRate(() -> timed("rate"), 100, 90_000, TimeUnit.MILLISECONDS);
    Timer timer = new Timer(true);
    timer.schedule(
        new TimerTask() {
          @Override
          public void run() {
            timed("timer");
          }
        },
        70, 100_000);
    CompletableFuture<String> never = new CompletableFuture<>();
    try {
      never.get(250, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      timed("timeout");
    }
    timer.cancel();
    Gate.sleep(60_000);
    scheduled.shutdownNow();
    Gate.runOthers();
    timed("end");
  }

  private void waits() throws Exception {
    BlockingQueue<String> queue = new ArrayBlockingQueue<>(1);
    CountDownLatch latch = new CountDownLatch(2);
    ReentrantLock lock = new ReentrantLock();
    Object monitor = new Object();
    Thread taker =
        new Thread(
            () -> {
              try {
                for (int i = 0; i < 3; i++) log("took-" + queue.take());
                synchronized (monitor) {
                  flag = true;
                  Gate.notifyAll(monitor);
                }
                latch.countDown();
              } catch (InterruptedException e) {
                log("interrupted");
              }
            });
    Thread locker =
        new Thread(
            () -> {
              lock.lock();
              Gate.step();
              log("locked");
              lock.unlock();
              latch.countDown();
            });
    taker.start();
    locker.start();
    for (int i = 0; i < 3; i++) queue.put("" + i);
    synchronized (monitor) {
      while (!flag) Gate.await(monitor);
    }
    latch.await();
    taker.join();
    log("joined-" + taker.isAlive());
    log(CompletableFuture.supplyAsync(() -> "async").thenApplyAsync(s -> s + "2").get());
  }

  private void interrupts() throws Exception {
    Thread sleeper =
        new Thread(
            () -> {
              try {
                Gate.sleep(1_000_000);
              } catch (InterruptedException e) {
                log("sleep-" + Thread.currentThread().isInterrupted());
              }
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                log("latch-" + Thread.currentThread().isInterrupted());
              }
              Object monitor = new Object();
              synchronized (monitor) {
                try {
                  Gate.await(monitor);
                } catch (InterruptedException e) {
                  log("wait-" + Thread.currentThread().isInterrupted());
                }
              }
            });
    sleeper.start();
    for (int i = 0; i < 3; i++) {
      Gate.runOthers();
      sleeper.interrupt();
    }
    sleeper.join();
    timed("end");
  }

  /** A thread that waits for another one without saying so: only the watchdog helps. */
  private void spins() {
    new Thread(
            () -> {
              while (!flag) Thread.onSpinWait();
              log("seen");
            })
        .start();
    Gate.runOthers();
    log(world.chance ? "chance" : "order");
    flag = true;
    long end = System.nanoTime() + 5_000_000_000L;
    while (happened.indexOf("seen") < 0 && System.nanoTime() < end) Thread.onSpinWait();
  }

  /** One thread waits with a monitor in its hand, which the other one wants. */
  private void monitors() throws Exception {
    Object monitor = new Object();
    Thread holder =
        new Thread(
            () -> {
              synchronized (monitor) {
                try {
                  Gate.sleep(10);
                } catch (InterruptedException e) {
                  log("interrupted");
                }
                log("holder");
              }
            });
    holder.start();
    Gate.runOthers();
    Thread wanter =
        new Thread(
            () -> {
              synchronized (monitor) {
                log("wanter");
              }
            });
    wanter.start();
    Gate.runOthers();
    Gate.sleep(20);
    wanter.join();
    log(world.chance ? "chance" : "order");
  }

  /** The main thread may wait for less than 5 s within one message, whatever it waits for. */
  private void blocked() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    Gate.task();
    Thread ticker =
        new Thread(
            () -> {
              try {
                for (int i = 0; i < 60; i++) Gate.sleep(1000);
              } catch (InterruptedException e) {
                log("interrupted");
              }
            });
    ticker.start();
    tryTo(never::await);
    Gate.task();
    tryTo(() -> Gate.sleep(4999));
    Gate.task();
    tryTo(
        () -> {
          Gate.sleep(3000);
          Gate.sleep(3000);
        });
    Gate.task();
    tryTo(() -> ticker.join());
  }

  private interface Wait {
    void run() throws InterruptedException;
  }

  private void tryTo(Wait wait) throws InterruptedException {
    try {
      wait.run();
      timed("done");
    } catch (AssertionError e) {
      timed(e.getMessage());
    }
  }

  private static final class VirtualWorld implements Gate.World {
    volatile long now;
    long start;
    volatile boolean chance;

    @Override
    public long nanoTime() {
      return now;
    }

    @Override
    public long currentTimeMillis() {
      return 1_700_000_000_000L + now / 1_000_000;
    }

    @Override
    public boolean advance() {
      long next = Gate.nextDeadline();
      if (next == Long.MAX_VALUE) return false;
      now = next;
      Gate.clockMoved();
      return true;
    }

    @Override
    public void leftToChance(String why) {
      chance = true;
    }

    @Override
    public void messageBegins() {}

    @Override
    public Error notResponding() {
      return new AssertionError("blocked");
    }

    @Override
    public void networkBegins() {}
  }
}
