package marmoset.hosted.gate;

import java.io.File;
import java.io.FileNotFoundException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The file system that the app sees: a phone's, the same on every machine and in every run.
 *
 * <p>The problem: an app may show what it reads in /proc or lists in /, and on the host these say something else each
 * time; it may open a file of the host that never ends. So the JDK's classes ask here for the path to use
 * (marmoset.hosted.JdkCalls). The app's own data and the shared storage lie in the device's folder. Any other path leads
 * into a read-only folder that holds a phone's files, as far as apps are known to read them.
 *
 * <p>Who asks is found on the stack: the first class that is not the JDK's belongs to the app or to somebody else, who
 * gets the path as it is. Times of files are virtual, too: a file was changed when the app first looks at it.
 *
 * <p>On the boot class path, like {@link Gate}. Any thread.
 */
public final class PhoneFiles {
  private static final String APP_LOADER = "marmoset.hosted.AppClassLoader";

  /** What has no content of its own, and what the JDK itself must be able to open. */
  private static final String[] DEVICES = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};

  /** The JDK reads its own files on the app's behalf. */
  private static final String JDK = System.getProperty("java.home") + "/";

  private static final long GIGABYTE = 1L << 30;

  /** A file's time as the host's system has set it, and the virtual time that stands for it. */
  private record Changed(long real, long virtual) {}

  private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  private static final long STARTED = System.currentTimeMillis();

  /** All of this is set at once; null until the device's first process. */
  private static volatile Places places;

  private static final Map<String, Changed> CHANGED = new HashMap<>();

  private record Places(
      String phone, String device, String apk, String appPackage, String data, String storage, Gate.World world) {}

  private static final String[] DATA_ALIASES = {"/data/data/", "/data/user/0/"};
  private static final String[] STORAGE_ALIASES = {
    "/sdcard", "/mnt/sdcard", "/storage/emulated/0", "/storage/self/primary", "/storage/sdcard0"
  };

  private PhoneFiles() {}

  /**
   * A new process of the app. {@code phone} holds the phone's own files, {@code device} the device's writable ones, among
   * them {@code data}, the app's, and {@code storage}, the shared ones. Absolute paths.
   */
  public static void begin(
      Path phone, Path device, String apk, String appPackage, Path data, Path storage, Gate.World world) {
    synchronized (CHANGED) {
      CHANGED.clear();
    }
    places =
        new Places(
            phone.toString(), device + "/", apk, appPackage, data.toString(), storage.toString(), world);
  }

  // ---- What the JDK's classes call ---------------------------------------------------------------------------------

  /** For a look at a file, or at the names in a folder. */
  public static File file(File file) {
    Places to = places;
    if (to == null || isOwn(to, file.getPath()) || !isAppAsking()) return file;
    String path = map(to, file.getAbsolutePath());
    return path.equals(file.getPath()) ? file : new File(path);
  }

  /** For a change of a file or folder. */
  public static File target(File file) {
    Places to = places;
    if (to == null || isOwn(to, file.getPath()) || !isAppAsking()) return file;
    String path = map(to, file.getAbsolutePath());
    // Under a name that is nowhere each change fails, as on a phone where it is not permitted.
    return new File(isWritable(to, path) ? path : to.phone + "/." + path);
  }

  /** For reading. */
  public static String read(String path) throws FileNotFoundException {
    Places to = places;
    if (to == null || path == null || isOwn(to, path) || !isAppAsking()) return path;
    String mapped = map(to, new File(path).getAbsolutePath());
    File file = new File(mapped);
    if (!file.exists()) throw new FileNotFoundException(path + ": open failed: ENOENT (No such file or directory)");
    if (file.isDirectory()) throw new FileNotFoundException(path + ": open failed: EISDIR (Is a directory)");
    return mapped;
  }

  /** For writing. */
  public static String write(String path) throws FileNotFoundException {
    Places to = places;
    if (to == null || path == null || isOwn(to, path) || !isAppAsking()) return path;
    String mapped = map(to, new File(path).getAbsolutePath());
    if (isWritable(to, mapped)) return mapped;
    String why = new File(mapped).exists() ? "EACCES (Permission denied)" : "EROFS (Read-only file system)";
    throw new FileNotFoundException(path + ": open failed: " + why);
  }

  /** For both. */
  public static String open(String path, int mode) throws FileNotFoundException {
    boolean writes = (mode & 2) != 0;
    return writes ? write(path) : read(path);
  }

  /** java.nio's paths, for reading and writing. */
  public static Path path(Path path) {
    Places to = places;
    if (to == null || isOwn(to, path.toString()) || !isAppAsking()) return path;
    String absolute = path.isAbsolute() ? path.toString() : "/" + path;
    String mapped = map(to, absolute);
    return mapped.equals(path.toString()) ? path : path.getFileSystem().getPath(mapped);
  }

  /** Names in a folder come in the order of the host's file system. */
  public static String[] sorted(String[] names) {
    if (names != null && places != null) Arrays.sort(names);
    return names;
  }

  /** Where it was the host's system that set a file's time, that is a time of the virtual clock. */
  public static long modified(long real, File file) {
    Places to = places;
    if (to == null || real < STARTED - 10_000 || !isAppAsking()) return real;
    synchronized (CHANGED) {
      Changed known = CHANGED.get(file.getPath());
      if (known == null || known.real != real) {
        // To a whole second, as the file systems of phones had it.
        known = new Changed(real, to.world.currentTimeMillis() / 1000 * 1000);
        CHANGED.put(file.getPath(), known);
      }
      return known.virtual;
    }
  }

  /** Of the file system. */
  public static long space(long real, boolean total) {
    if (places == null || !isAppAsking()) return real;
    return (total ? 24 : 16) * GIGABYTE;
  }

  // ---- Paths -------------------------------------------------------------------------------------------------------

  private static boolean isOwn(Places to, String path) {
    if (path.contains("..")) return false;
    // Also the paths that this class itself looks at on the app's behalf.
    return path.startsWith(to.device) || path.startsWith(to.phone) || path.startsWith(JDK) || path.equals(to.apk);
  }

  private static boolean isWritable(Places to, String path) {
    return path.startsWith(to.device) || path.equals("/dev/null");
  }

  private static String map(Places to, String absolute) {
    String path = normal(absolute);
    if ((path + "/").startsWith(to.device)) return path;
    for (String device : DEVICES) {
      if (path.equals(device)) return path;
    }
    for (String alias : DATA_ALIASES) {
      String inside = inside(path, alias + to.appPackage);
      if (inside != null) return to.data + inside;
    }
    for (String alias : STORAGE_ALIASES) {
      String inside = inside(path, alias);
      if (inside != null) return to.storage + inside;
    }
    return path.equals("/") ? to.phone : to.phone + path;
  }

  /** The rest of a path below a folder; null where it is elsewhere. */
  private static String inside(String path, String folder) {
    if (!path.startsWith(folder)) return null;
    String rest = path.substring(folder.length());
    return rest.isEmpty() || rest.startsWith("/") ? rest : null;
  }

  /** Without "." and "..", so that no path leads out of the phone's files. */
  private static String normal(String absolute) {
    StringBuilder path = new StringBuilder();
    for (String part : absolute.split("/")) {
      if (part.isEmpty() || part.equals(".")) continue;
      if (part.equals("..")) {
        path.setLength(Math.max(0, path.lastIndexOf("/")));
      } else {
        path.append('/').append(part);
      }
    }
    return path.length() == 0 ? "/" : path.toString();
  }

  // ---- Who asks ----------------------------------------------------------------------------------------------------

  // Not lambdas: the machinery behind them may itself be what looks at a file.

  private static final Predicate<Class<?>> OUTSIDE_JDK =
      new Predicate<>() {
        @Override
        public boolean test(Class<?> c) {
          ClassLoader loader = c.getClassLoader();
          return loader != null && loader != ClassLoader.getPlatformClassLoader();
        }
      };

  private static final Function<StackWalker.StackFrame, Class<?>> CLASS =
      new Function<>() {
        @Override
        public Class<?> apply(StackWalker.StackFrame frame) {
          return frame.getDeclaringClass();
        }
      };

  private static final Function<Stream<StackWalker.StackFrame>, Class<?>> CALLER =
      new Function<>() {
        @Override
        public Class<?> apply(Stream<StackWalker.StackFrame> frames) {
          return frames.map(CLASS).filter(OUTSIDE_JDK).findFirst().orElse(null);
        }
      };

  private static boolean isAppAsking() {
    Class<?> caller = WALKER.walk(CALLER);
    return caller != null && caller.getClassLoader().getClass().getName().equals(APP_LOADER);
  }
}
