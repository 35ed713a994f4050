package marmoset.hosted.sandbox;

import android.os.Build.VERSION;
import android.os.SystemClock;
import android.util.Log;
import java.io.File;
import java.io.FileDescriptor;
import java.io.IOException;
import java.net.NetworkInterface;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Calendar;
import java.util.Collections;
import java.util.Date;
import java.util.Enumeration;
import java.util.GregorianCalendar;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import libcore.util.NativeAllocationRegistry;
import marmoset.hosted.StackText;
import marmoset.hosted.gate.Gate;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.versioning.AndroidVersions.V;

/**
 * What converted code calls instead of the JDK (marmoset.hosted.CallRewriter holds the table): time comes from the
 * virtual clock, random numbers from the seed, and the app's process ends instead of the JVM. The only class of the host
 * that the app can see. Any thread; nothing here throws except {@link ProcessExit} and what the JDK's method would throw.
 */
public final class AppRuntime {
  /** So many readings of an unmoving clock in a row mean that the app waits for time to pass. */
  private static final int BUSY_WAIT_READINGS = 2000;

  private static final long MEGABYTE = 1L << 20;

  private static volatile long epochMillis;
  private static volatile String exit;
  private static volatile Thread.UncaughtExceptionHandler defaultHandler;
  private static Random random = new Random(0);
  private static long lastReading;
  private static int readings;

  private AppRuntime() {}

  /** Called at every reset, before the app's first instruction. */
  static synchronized void reset(long seed, long newEpochMillis) {
    random = new Random(seed);
    epochMillis = newEpochMillis;
    beginProcess();
  }

  /** The app has a new process, on a device that goes on. */
  static synchronized void beginProcess() {
    exit = null;
    defaultHandler = null;
    readings = 0;
  }

  /** How the app ended its process, or null. */
  static String exit() {
    return exit;
  }

  public static long currentTimeMillis() {
    return epochMillis + uptimeMillis();
  }

  /** The same without the notice that the app looked at its watch. */
  static long wallClock() {
    return epochMillis + SystemClock.uptimeMillis();
  }

  public static long nanoTime() {
    uptimeMillis();
    return SystemClock.elapsedRealtimeNanos();
  }

  /** Under a clock that stands still a loop that waits for a time would never end, so such a loop moves the clock. */
  private static long uptimeMillis() {
    long now = SystemClock.uptimeMillis();
    if (now != lastReading) {
      lastReading = now;
      readings = 0;
    } else if (++readings > BUSY_WAIT_READINGS) {
      readings = BUSY_WAIT_READINGS - 20;
      letPass(1);
    }
    return SystemClock.uptimeMillis();
  }

  /** SystemClock.sleep: an interrupt ends it, and is kept. */
  public static void letPass(long millis) {
    if (millis <= 0) return;
    try {
      if (!Gate.sleep(millis)) SystemClock.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public static void sleep(long millis) throws InterruptedException {
    if (millis < 0) throw new IllegalArgumentException("timeout value is negative");
    if (Thread.interrupted()) throw new InterruptedException();
    if (!Gate.sleep(millis)) Thread.sleep(millis);
  }

  public static void sleep(long millis, int nanos) throws InterruptedException {
    sleep(millis);
  }

  public static void sleep(TimeUnit unit, long timeout) throws InterruptedException {
    if (timeout > 0) sleep(unit.toMillis(timeout));
  }

  public static void yield() {
    Gate.yield();
  }

  public static void await(Object monitor) throws InterruptedException {
    Gate.await(monitor);
  }

  public static void await(Object monitor, long millis) throws InterruptedException {
    Gate.await(monitor, millis);
  }

  public static void await(Object monitor, long millis, int nanos) throws InterruptedException {
    Gate.await(monitor, millis, nanos);
  }

  public static void notify(Object monitor) {
    Gate.notify(monitor);
  }

  public static void notifyAll(Object monitor) {
    Gate.notifyAll(monitor);
  }

  /** A thread of the app begins. */
  public static void begin() {
    Gate.begin();
  }

  /** The app is about to do something that other threads may see. */
  public static void step() {
    Gate.step();
  }

  public static synchronized long nextSeed() {
    return random.nextLong();
  }

  public static synchronized double random() {
    return random.nextDouble();
  }

  public static synchronized UUID randomUuid() {
    long high = (random.nextLong() & ~0xf000L) | 0x4000L;
    long low = (random.nextLong() & 0x3fffffffffffffffL) | 0x8000000000000000L;
    return new UUID(high, low);
  }

  public static SecureRandom secureRandom() {
    return new SeededSecureRandom(nextSeed());
  }

  public static ThreadLocalRandom threadLocalRandom() {
    return ThreadLocalRandom.current();
  }

  public static Calendar calendar() {
    return set(Calendar.getInstance());
  }

  public static Calendar calendar(TimeZone zone) {
    return set(Calendar.getInstance(zone));
  }

  public static Calendar calendar(Locale locale) {
    return set(Calendar.getInstance(locale));
  }

  public static Calendar calendar(TimeZone zone, Locale locale) {
    return set(Calendar.getInstance(zone, locale));
  }

  public static GregorianCalendar gregorianCalendar() {
    return (GregorianCalendar) set(new GregorianCalendar());
  }

  private static Calendar set(Calendar calendar) {
    calendar.setTime(new Date(currentTimeMillis()));
    return calendar;
  }

  public static Instant instantNow() {
    return Instant.ofEpochMilli(currentTimeMillis());
  }

  public static LocalDate localDateNow() {
    return LocalDate.now(clockDefaultZone());
  }

  public static LocalTime localTimeNow() {
    return LocalTime.now(clockDefaultZone());
  }

  public static LocalDateTime localDateTimeNow() {
    return LocalDateTime.now(clockDefaultZone());
  }

  public static ZonedDateTime zonedDateTimeNow() {
    return ZonedDateTime.now(clockDefaultZone());
  }

  public static Clock clockUtc() {
    return new VirtualClock(ZoneOffset.UTC);
  }

  public static Clock clockDefaultZone() {
    return new VirtualClock(ZoneId.systemDefault());
  }

  public static void exit(int status) {
    end("System.exit(" + status + ")");
  }

  public static void exit(Runtime runtime, int status) {
    end("Runtime.exit(" + status + ")");
  }

  public static void killProcess(int pid) {
    if (pid == android.os.Process.myPid()) end("Process.killProcess");
  }

  private static void end(String how) {
    if (exit == null) exit = how;
    throw new ProcessExit();
  }

  /** Without the host's frames, as a phone prints it. */
  public static void printStackTrace(Throwable error) {
    Log.w("System.err", StackText.of(error));
  }

  public static void loadLibrary(String name) {
    Log.w("marmoset", "native library not loaded: " + name);
  }

  public static void loadLibrary(Runtime runtime, String name) {
    loadLibrary(name);
  }

  public static void nativeCalled(String method) {
    Log.w("marmoset", "native method returned nothing: " + method);
  }

  public static void addShutdownHook(Runtime runtime, Thread hook) {
    // A phone kills an app's process; its shutdown hooks never run.
  }

  /** Nobody waits for the disk: the device's files do not outlive it. */
  public static void sync(FileDescriptor file) {}

  /** The framework's call; Robolectric takes no notice of it where the object is not one of real native code. */
  public static Runnable registerNativeAllocation(NativeAllocationRegistry registry, Object referent, long pointer) {
    if (NativeThemes.isTheme(referent)) NativeThemes.freeWith(referent, pointer);
    return registry.registerNativeAllocation(referent, pointer);
  }

  public static String format(String format, Object[] arguments) {
    return String.format(asOnPhone(format), arguments);
  }

  public static String format(Locale locale, String format, Object[] arguments) {
    return String.format(locale, asOnPhone(format), arguments);
  }

  /** On phones up to Android 14, and for apps that do not target 15, "%0$s" is the next argument; the JDK refuses it. */
  private static String asOnPhone(String format) {
    if (format == null || !format.contains("%0$")) return format;
    boolean refuses =
        VERSION.SDK_INT >= V.SDK_INT
            && RuntimeEnvironment.getApplication().getApplicationInfo().targetSdkVersion >= V.SDK_INT;
    return refuses ? format : format.replace("%0$", "%");
  }

  public static void ignore(boolean value) {}

  public static void gc(Runtime runtime) {
    // When there is too little memory, the host sees to it.
  }

  public static long maxMemory(Runtime runtime) {
    return 256 * MEGABYTE;
  }

  public static long totalMemory(Runtime runtime) {
    return 64 * MEGABYTE;
  }

  public static long freeMemory(Runtime runtime) {
    return 32 * MEGABYTE;
  }

  public static int availableProcessors(Runtime runtime) {
    return 4;
  }

  public static String getProperty(String key) {
    return SystemProperties.get(key);
  }

  public static String getProperty(String key, String fallback) {
    String value = SystemProperties.get(key);
    return value == null ? fallback : value;
  }

  public static String setProperty(String key, String value) {
    return (String) SystemProperties.all().setProperty(key, value);
  }

  public static String clearProperty(String key) {
    return (String) SystemProperties.all().remove(key);
  }

  public static Properties getProperties() {
    return SystemProperties.all();
  }

  public static void setProperties(Properties properties) {
    SystemProperties.set(properties);
  }

  public static boolean getBoolean(String key) {
    return Boolean.parseBoolean(find(key));
  }

  public static Integer getInteger(String key) {
    return getNumber(key, Integer::decode, null);
  }

  public static Integer getInteger(String key, int fallback) {
    return getNumber(key, Integer::decode, fallback);
  }

  public static Long getLong(String key) {
    return getNumber(key, Long::decode, null);
  }

  public static Long getLong(String key, long fallback) {
    return getNumber(key, Long::decode, fallback);
  }

  private static <T> T getNumber(String key, Function<String, T> decode, T fallback) {
    try {
      String value = find(key);
      return value == null ? fallback : decode.apply(value);
    } catch (NumberFormatException e) {
      return fallback;
    }
  }

  /** For those methods to which no key is no mistake. */
  private static String find(String key) {
    return key == null || key.isEmpty() ? null : SystemProperties.get(key);
  }

  public static Map<String, String> getenv() {
    return SystemProperties.ENVIRONMENT;
  }

  public static String getenv(String name) {
    return SystemProperties.ENVIRONMENT.get(name);
  }

  public static File[] listRoots() {
    return new File[] {new File("/")};
  }

  public static File createTempFile(String prefix, String suffix) throws IOException {
    return createTempFile(prefix, suffix, null);
  }

  /** With a name that follows from the seed. */
  public static File createTempFile(String prefix, String suffix, File folder) throws IOException {
    if (prefix.length() < 3) {
      throw new IllegalArgumentException("Prefix string \"" + prefix + "\" too short: length must be at least 3");
    }
    File where = folder != null ? folder : new File(SystemProperties.get("java.io.tmpdir"));
    while (true) {
      File file = new File(where, prefix + Long.toUnsignedString(nextSeed()) + (suffix == null ? ".tmp" : suffix));
      if (file.createNewFile()) return file;
    }
  }

  /** Programs of a phone do not run here, and those of the host are none of the app's business. */
  public static Process exec(Runtime runtime, String command) throws IOException {
    throw noProgram(command.trim().split("\\s+")[0]);
  }

  public static Process exec(Runtime runtime, String[] command) throws IOException {
    throw noProgram(command[0]);
  }

  public static Process exec(Runtime runtime, String command, String[] environment) throws IOException {
    return exec(runtime, command);
  }

  public static Process exec(Runtime runtime, String[] command, String[] environment) throws IOException {
    return exec(runtime, command);
  }

  public static Process exec(Runtime runtime, String command, String[] environment, File folder) throws IOException {
    return exec(runtime, command);
  }

  public static Process exec(Runtime runtime, String[] command, String[] environment, File folder) throws IOException {
    return exec(runtime, command);
  }

  public static Process startProcess(ProcessBuilder builder) throws IOException {
    throw noProgram(builder.command().get(0));
  }

  private static IOException noProgram(String name) {
    return new IOException("Cannot run program \"" + name + "\": error=13, Permission denied");
  }

  /** A phone without any network. */
  public static Enumeration<NetworkInterface> networkInterfaces() {
    return Collections.emptyEnumeration();
  }

  /** The JVM's own handler stays ours: it is how crashes of background threads are seen. */
  public static void setDefaultUncaughtExceptionHandler(Thread.UncaughtExceptionHandler handler) {
    defaultHandler = handler;
  }

  public static Thread.UncaughtExceptionHandler getDefaultUncaughtExceptionHandler() {
    return defaultHandler != null ? defaultHandler : (thread, error) -> {};
  }

  private static final class VirtualClock extends Clock {
    private final ZoneId zone;

    VirtualClock(ZoneId zone) {
      this.zone = zone;
    }

    @Override
    public ZoneId getZone() {
      return zone;
    }

    @Override
    public Clock withZone(ZoneId newZone) {
      return new VirtualClock(newZone);
    }

    @Override
    public Instant instant() {
      return instantNow();
    }
  }

  /** Not secure, on purpose: the same seed must give the same run. */
  private static final class SeededSecureRandom extends SecureRandom {
    private static final long serialVersionUID = 1;
    private final Random source;

    SeededSecureRandom(long seed) {
      super(null, null);
      source = new Random(seed);
    }

    @Override
    public void nextBytes(byte[] bytes) {
      source.nextBytes(bytes);
    }

    @Override
    public void setSeed(long seed) {
      // Also called by the super constructor. The run's seed stays in force.
    }

    @Override
    public String getAlgorithm() {
      return "SHA1PRNG";
    }
  }
}
