package marmoset.hosted;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Tells when the app has taken the JVM's memory, while there is enough left to say so. A phone ends such an app with an
 * OutOfMemoryError of its own; here the heap is the host's, too, whose threads would fail in the app's place.
 *
 * <p>Of the heap what survived the last full collection is counted, beside it (bitmaps) what is in the machine's memory. Any
 * thread.
 */
final class MemoryWatch {
  /** Of the space for objects that live long (two thirds of the heap: some 580 MB, more than a phone gives an app). */
  private static final double FULL = 0.85;

  /** After the app's end its memory must come back; above this share it has not. */
  private static final double SPENT = 0.5;

  /** In the machine's memory, all told. The heap, the classes and the compiled code of a long run take 1.3 GB. */
  private static final long RESIDENT_BYTES = 2560L << 20;

  private static final Path RESIDENT_PAGES = Path.of("/proc/self/statm");
  private static final long PAGE_BYTES = 4096;

  private static final int RESERVE_BYTES = 16 << 20;

  private final MemoryPoolMXBean pool = tenured();
  private byte[] reserve = new byte[RESERVE_BYTES];

  private static MemoryPoolMXBean tenured() {
    MemoryPoolMXBean largest = null;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getType() != MemoryType.HEAP || !pool.isCollectionUsageThresholdSupported()) continue;
      if (largest == null || pool.getUsage().getMax() > largest.getUsage().getMax()) largest = pool;
    }
    if (largest == null) throw new IllegalStateException("this JVM tells nothing of its heap");
    return largest;
  }

  boolean isFull() {
    return isHeapFull() || residentBytes() > RESIDENT_BYTES;
  }

  boolean isHeapFull() {
    return share() > FULL;
  }

  /** So much is held that the JVM should serve no further process of the app. */
  boolean isSpent() {
    return reserve == null || share() > SPENT;
  }

  /**
   * What earlier processes left is often held by objects that one collection finds dead and only the next one frees
   * (those of native code, those with finalizers).
   */
  void collect() {
    for (int i = 0; i < 3 && share() > SPENT; i++) {
      Runtime.getRuntime().gc();
      System.runFinalization();
    }
  }

  /** Makes room to report what happened. The JVM is spent afterwards. */
  void giveReserve() {
    reserve = null;
  }

  /** 0 where the system does not say. */
  private static long residentBytes() {
    try {
      return Long.parseLong(Files.readString(RESIDENT_PAGES).split(" ")[1]) * PAGE_BYTES;
    } catch (IOException e) {
      return 0;
    }
  }

  private double share() {
    return (double) pool.getCollectionUsage().getUsed() / pool.getUsage().getMax();
  }
}
