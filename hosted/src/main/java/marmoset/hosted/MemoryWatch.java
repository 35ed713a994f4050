package marmoset.hosted;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Tells when the app has taken the JVM's memory, while there is enough left to say so. A phone ends such an app with an
 * OutOfMemoryError of its own; here the heap is the host's, too, whose threads would fail in the app's place.
 *
 * <p>Counted is what is in use: of the heap the space for objects that live long, beside it (bitmaps) what is in the machine's
 * memory. Neither says at once what is only waiting to be freed, and that can be most of it: an object with a finalizer keeps
 * the whole process of the app that it came from through one full collection, and is gone by the next. So room is made
 * between two processes, and again before the app is blamed. Any thread.
 */
final class MemoryWatch {
  /** Of the space for objects that live long (two thirds of the heap: some 680 MB, more than a phone gives an app). */
  private static final double FULL = 0.85;

  /** A process of the app starts with at most this share in use. */
  private static final double SPENT = 0.5;

  /** In the machine's memory, all told. The heap, the classes and the compiled code of a long run take 1.4 GB. */
  private static final long FULL_BYTES = 2560L << 20;

  private static final long SPENT_BYTES = 2048L << 20;

  private static final int COLLECTIONS = 3;

  /** Between two collections: what the first found dead is freed by other threads. */
  private static final long FREEING_NANOS = 50_000_000;

  private static final Path RESIDENT_PAGES = Path.of("/proc/self/statm");
  private static final long PAGE_BYTES = 4096;

  private static final int RESERVE_BYTES = 16 << 20;

  private final MemoryPoolMXBean pool = tenured();

  /** Made before there is no room to make them. */
  private final Supplier<MemoryUsage> now = pool::getUsage;

  private final Supplier<MemoryUsage> afterLastCollection = pool::getCollectionUsage;

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

  /** The app is to be blamed. Takes seconds where it is so, hardly any time where it is not. */
  boolean isFull() {
    return isOver(afterLastCollection, FULL, FULL_BYTES) && !hasRoom(FULL, FULL_BYTES);
  }

  /** So much is held by what earlier processes left that the JVM should serve no further one. */
  boolean isSpent() {
    return reserve == null || !hasRoom(SPENT, SPENT_BYTES);
  }

  private boolean hasRoom(double share, long bytes) {
    for (int collections = 0; isOver(now, share, bytes); collections++) {
      if (collections == COLLECTIONS) return false;
      if (collections > 0) LockSupport.parkNanos(FREEING_NANOS);
      Runtime.getRuntime().gc();
    }
    return true;
  }

  private static boolean isOver(Supplier<MemoryUsage> heap, double share, long bytes) {
    try {
      MemoryUsage usage = heap.get();
      return (double) usage.getUsed() / usage.getMax() > share || residentBytes() > bytes;
    } catch (OutOfMemoryError e) {
      // Of this thread: there is no room even to ask.
      return true;
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
}
