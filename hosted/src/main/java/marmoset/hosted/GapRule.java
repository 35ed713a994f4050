package marmoset.hosted;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Tells a crash of the app from a fault of the host. The rule, for the innermost cause of an uncaught exception:
 *
 * <ol>
 *   <li>A linkage error (missing class, method or field; a class that does not verify; a missing native method) is the
 *       host's: the JDK lacks some of Android's library methods, and the converter may err. It is the app's where what is
 *       missing is of the app's own making, or a class that neither the phone nor the APK has, or where the app's code asks
 *       the framework for something newer than the device's SDK level: the framework is whole.
 *   <li>An error of the machine (out of memory, a stack overflow) is the app's where the app's code is on the stack, and
 *       where the app holds all the memory.
 *   <li>Thrown by the host's code (the first frame that is not the JDK's is Robolectric's or ours): the host's, unless it
 *       is of a type that the host throws to say what a phone would say ({@link #SPOKEN}).
 *   <li>A failed cast to or from a class of the host, or to a class of the same name (of another process): the host's.
 *   <li>A null pointer in the framework's code where the null came from one of the system's services, which the host
 *       does not run, or the framework's word that it has no telephony: the host's.
 *   <li>Everything else is the app's.
 * </ol>
 *
 * <p>So a host fault that only makes a wrong value, over which the app falls later, is not recognised. Stateless.
 */
public final class GapRule {
  /** Exceptions that shadows throw on purpose. */
  private static final List<String> SPOKEN =
      List.of(
          "android.",
          "java.lang.SecurityException",
          "java.lang.IllegalArgumentException",
          "java.lang.IllegalStateException",
          "java.io.IOException",
          "java.io.FileNotFoundException",
          "java.lang.InterruptedException");

  private static final String HOST = "(org\\.robolectric|marmoset\\.hosted)\\.";

  private static final List<String> LIBRARY = List.of("java.", "javax.", "sun.", "libcore.", "dalvik.", "jdk.");

  private final Predicate<String> isApp;
  private final BooleanSupplier memoryIsFull;

  /** isApp says whether the APK has a class of that name, memoryIsFull whether the app holds all the memory that there is. */
  public GapRule(Predicate<String> isApp, BooleanSupplier memoryIsFull) {
    this.isApp = isApp;
    this.memoryIsFull = memoryIsFull;
  }

  /** The place in the host that failed ({@code class.method}), or null where the app is to blame. */
  public String gap(Throwable error) {
    Throwable root = root(error);
    StackTraceElement[] frames = root.getStackTrace();
    if (root instanceof LinkageError) return linkageGap((LinkageError) root, frames);
    StackTraceElement thrower = thrower(frames);
    if (thrower == null) return null;
    if (root instanceof ClassCastException && isHostCast(StackText.asOnPhone(String.valueOf(root.getMessage())))) {
      return place(thrower);
    }
    if (root instanceof VirtualMachineError) {
      if (StackText.hasApp(frames, isApp)) return null;
      return root instanceof OutOfMemoryError && memoryIsFull.getAsBoolean() ? null : place(thrower);
    }
    if (isHost(thrower) && !isSpoken(root)) return place(thrower);
    if (root instanceof UnsupportedOperationException && thrower.getClassName().startsWith("android.telephony.")) {
      return place(thrower);
    }
    if (root instanceof NullPointerException && isFramework(thrower) && isMissingService(root.getMessage())) {
      return place(thrower);
    }
    return null;
  }

  private static boolean isHostCast(String message) {
    return message.matches("(?s).*\\b" + HOST + ".*") || message.matches("(?s)(\\S+) cannot be cast to \\1");
  }

  private static Throwable root(Throwable error) {
    Throwable root = error;
    for (int depth = 0; root.getCause() != null && root.getCause() != root && depth < 50; depth++) {
      // The one says the same as the other, but knows where it was missed.
      if (root instanceof NoClassDefFoundError && root.getCause() instanceof ClassNotFoundException) break;
      root = root.getCause();
    }
    return root;
  }

  private String linkageGap(LinkageError error, StackTraceElement[] frames) {
    String message = String.valueOf(error.getMessage());
    StackTraceElement asker = thrower(frames);
    boolean appAsks = asker != null && isApp.test(asker.getClassName());
    if (error instanceof NoClassDefFoundError || error instanceof ExceptionInInitializerError) {
      String name = message.replace('/', '.');
      if (appAsks && name.startsWith("android.")) return null;
      String missing = name.replaceFirst("^Could not initialize class ", "");
      boolean library = LIBRARY.stream().anyMatch(missing::startsWith) || missing.startsWith("android.");
      return library ? "class " + missing : null;
    }
    if (error instanceof UnsatisfiedLinkError) {
      return appAsks ? null : "native " + message;
    }
    if (error instanceof VerifyError || error instanceof ClassFormatError) return "conversion " + firstLine(message);
    // NoSuchMethodError, NoSuchFieldError, IllegalAccessError, IncompatibleClassChangeError, AbstractMethodError
    String member = firstLine(message).replace('/', '.');
    for (String word : member.split("[^A-Za-z0-9_.$]+")) {
      if (word.indexOf('.') > 0 && isApp.test(owner(word))) return null;
    }
    // The name after the type of the value and before the arguments is the member's. Of a field only its own is said.
    boolean newer = error instanceof NoSuchFieldError || member.matches("(.* )?android\\.[^ (]*(\\(.*)?'?");
    return appAsks && newer ? null : "member " + member;
  }

  /** "java.util.List.of" and "java.util.List" both name a class or its member. */
  private String owner(String word) {
    if (isApp.test(word)) return word;
    int dot = word.lastIndexOf('.');
    return dot < 0 ? word : word.substring(0, dot);
  }

  private static String firstLine(String text) {
    int end = text.indexOf('\n');
    return end < 0 ? text : text.substring(0, end);
  }

  /** The frame that threw, without the JDK's own helpers (requireNonNull, ArrayList.get and so on). */
  private static StackTraceElement thrower(StackTraceElement[] frames) {
    for (StackTraceElement frame : frames) {
      String name = frame.getClassName();
      if (name.startsWith("java.") || name.startsWith("jdk.") || name.startsWith("com.google.common.base.")) continue;
      if (standsForJdk(name)) continue;
      return frame;
    }
    return null;
  }

  /** What an app's call of the JDK was turned into, and its class loader; they throw what the JDK would throw. */
  private static boolean standsForJdk(String name) {
    return name.equals("marmoset.hosted.sandbox.AppRuntime")
        || name.equals("marmoset.hosted.AppClassLoader")
        || name.startsWith("marmoset.hosted.gate.");
  }

  private static boolean isHost(StackTraceElement frame) {
    String name = frame.getClassName();
    return name.startsWith("org.robolectric.") || name.startsWith("marmoset.hosted.");
  }

  private static boolean isFramework(StackTraceElement frame) {
    String name = frame.getClassName();
    return name.startsWith("android.") || name.startsWith("com.android.internal.");
  }

  private static boolean isSpoken(Throwable error) {
    for (Class<?> type = error.getClass(); type != null; type = type.getSuperclass()) {
      for (String spoken : SPOKEN) {
        if (type.getName().startsWith(spoken)) return true;
      }
    }
    return false;
  }

  /** The JVM's message names where the null came from: a service's field, or the answer of a system interface. */
  private static boolean isMissingService(String message) {
    if (message == null) return false;
    int because = message.indexOf("because ");
    if (because < 0) return false;
    String source = message.substring(because);
    return source.matches("(?s).*\"this\\.m\\w*(Service|Manager|Session|Binder|Remote)\" is null.*")
        || source.matches("(?s).*return value of \"(android|com\\.android)\\.[\\w.$]*\\.?I[A-Z]\\w*\\.\\w+\\(.*")
        || source.matches("(?s).*return value of \"android\\.os\\.ServiceManager\\..*");
  }

  private static String place(StackTraceElement frame) {
    return frame.getClassName() + "." + StackText.plain(frame).getMethodName();
  }
}
