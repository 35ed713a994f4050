package marmoset.hosted;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How long the device's main thread has been at one thing, in a time that does not run while the machine is busy with
 * other processes: the processor time of the main thread while it computes, of the whole JVM while it waits for another
 * thread that computes, and real time while nobody computes. One thread at a time.
 *
 * <p>Example: the app decodes a picture for 8 s on an idle machine, or for 30 s where others take most of the processor;
 * both count as 8 s. It reads from a pipe that nobody writes into: each second counts as one.
 */
final class StuckClock {
  /** Below this share of a processor nobody is at work. */
  private static final double WORKING = 0.05;

  private final Thread main;

  /** Linux's own name of the main thread's state, of which the JVM knows only whether Java code waits. */
  private final Path stat;

  private final OperatingSystemMXBean system =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private long passed;
  private long real;
  private long mainCpu;
  private long allCpu;

  private StuckClock(Thread main, Path stat) {
    this.main = main;
    this.stat = stat;
  }

  /** Of the calling thread. */
  static StuckClock ofThisThread() {
    Path stat;
    try {
      stat = Path.of("/proc/thread-self").toRealPath().resolve("stat");
    } catch (IOException e) {
      stat = null;  // Without /proc a thread in native code counts as computing.
    }
    return new StuckClock(Thread.currentThread(), stat);
  }

  void start() {
    passed = 0;
    look();
  }

  /** Nanoseconds since start. To be called several times a second. */
  long passed() {
    long realBefore = real;
    long mainBefore = mainCpu;
    long allBefore = allCpu;
    look();
    long interval = real - realBefore;
    if (isRunning()) {
      passed += mainCpu - mainBefore;
    } else {
      long work = Math.min(allCpu - allBefore, interval);
      passed += work < interval * WORKING ? interval : work;
    }
    return passed;
  }

  private void look() {
    real = System.nanoTime();
    mainCpu = ManagementFactory.getThreadMXBean().getThreadCpuTime(main.getId());
    allCpu = system.getProcessCpuTime();
  }

  private boolean isRunning() {
    if (main.getState() != Thread.State.RUNNABLE) return false;
    if (stat == null) return true;
    try {
      String text = Files.readString(stat);
      return text.startsWith("R", text.lastIndexOf(')') + 2);
    } catch (IOException e) {
      return true;
    }
  }
}
