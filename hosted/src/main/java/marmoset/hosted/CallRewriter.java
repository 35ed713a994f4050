package marmoset.hosted;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * Turns the app's calls that would leave the device (clock, sleep, random numbers, properties of the system, other
 * processes, process exit, native libraries, the disk) into calls of {@code marmoset.hosted.sandbox.AppRuntime}, which
 * answers them from the virtual clock and the seed. Calls by which threads wait for each other likewise, and the places
 * where another thread may be put first are marked; see {@link marmoset.hosted.gate.Gate}.
 *
 * <p>The table below is the whole truth about what is rewritten. Calls on a receiver become static calls whose first
 * argument is the receiver. Stateless; any thread.
 */
final class CallRewriter {
  static final String RUNTIME = "marmoset/hosted/sandbox/AppRuntime";
  static final String GATE = "marmoset/hosted/gate/Gate";

  /** The owners in the table whose methods have a receiver. */
  private static final Set<String> INSTANCE_OWNERS =
      Set.of(
          "java/io/FileDescriptor", "java/lang/Object", "java/lang/ProcessBuilder", "java/lang/Runtime",
          "java/lang/Throwable", "java/util/concurrent/TimeUnit", "libcore/util/NativeAllocationRegistry");

  /** What is rewritten in the framework's classes, too, as "owner.name". */
  private static final Set<String> ALSO_IN_FRAMEWORK =
      Set.of(
          "java/io/FileDescriptor.sync", "java/lang/String.format", "java/util/Calendar.getInstance",
          "libcore/util/NativeAllocationRegistry.registerNativeAllocation");

  private static final Map<String, String> TABLE = new HashMap<>();

  private static void call(String owner, String name, String descriptor, String runtimeName) {
    TABLE.put(owner + "." + name + descriptor, runtimeName);
  }

  static {
    call("java/lang/System", "currentTimeMillis", "()J", "currentTimeMillis");
    call("java/lang/System", "nanoTime", "()J", "nanoTime");
    call("java/lang/System", "exit", "(I)V", "exit");
    call("java/lang/System", "load", "(Ljava/lang/String;)V", "loadLibrary");
    call("java/lang/System", "loadLibrary", "(Ljava/lang/String;)V", "loadLibrary");
    call("java/lang/System", "runFinalizersOnExit", "(Z)V", "ignore");
    call("java/lang/Runtime", "exit", "(I)V", "exit");
    call("java/lang/Runtime", "halt", "(I)V", "exit");
    call("java/lang/Runtime", "load", "(Ljava/lang/String;)V", "loadLibrary");
    call("java/lang/Runtime", "loadLibrary", "(Ljava/lang/String;)V", "loadLibrary");
    call("java/lang/Runtime", "addShutdownHook", "(Ljava/lang/Thread;)V", "addShutdownHook");
    call("java/lang/Runtime", "gc", "()V", "gc");
    call("java/lang/Runtime", "maxMemory", "()J", "maxMemory");
    call("java/lang/Runtime", "totalMemory", "()J", "totalMemory");
    call("java/lang/Runtime", "freeMemory", "()J", "freeMemory");
    call("java/lang/Runtime", "availableProcessors", "()I", "availableProcessors");
    call("java/lang/Thread", "sleep", "(J)V", "sleep");
    call("java/lang/Thread", "sleep", "(JI)V", "sleep");
    call("java/util/concurrent/TimeUnit", "sleep", "(J)V", "sleep");
    call("android/os/SystemClock", "sleep", "(J)V", "letPass");
    call("java/lang/Thread", "yield", "()V", "yield");
    call("java/lang/Object", "wait", "()V", "await");
    call("java/lang/Object", "wait", "(J)V", "await");
    call("java/lang/Object", "wait", "(JI)V", "await");
    call("java/lang/Object", "notify", "()V", "notify");
    call("java/lang/Object", "notifyAll", "()V", "notifyAll");
    call("java/lang/Thread", "setDefaultUncaughtExceptionHandler",
        "(Ljava/lang/Thread$UncaughtExceptionHandler;)V", "setDefaultUncaughtExceptionHandler");
    call("java/lang/Thread", "getDefaultUncaughtExceptionHandler",
        "()Ljava/lang/Thread$UncaughtExceptionHandler;", "getDefaultUncaughtExceptionHandler");
    call("java/lang/Math", "random", "()D", "random");
    call("java/lang/StrictMath", "random", "()D", "random");
    call("java/util/UUID", "randomUUID", "()Ljava/util/UUID;", "randomUuid");
    call("java/util/Calendar", "getInstance", "()Ljava/util/Calendar;", "calendar");
    call("java/util/Calendar", "getInstance", "(Ljava/util/TimeZone;)Ljava/util/Calendar;", "calendar");
    call("java/util/Calendar", "getInstance", "(Ljava/util/Locale;)Ljava/util/Calendar;", "calendar");
    call("java/util/Calendar", "getInstance",
        "(Ljava/util/TimeZone;Ljava/util/Locale;)Ljava/util/Calendar;", "calendar");
    call("java/lang/String", "format",
        "(Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/String;", "format");
    call("java/lang/String", "format",
        "(Ljava/util/Locale;Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/String;", "format");
    call("java/util/concurrent/ThreadLocalRandom", "current",
        "()Ljava/util/concurrent/ThreadLocalRandom;", "threadLocalRandom");
    call("java/time/Instant", "now", "()Ljava/time/Instant;", "instantNow");
    call("java/time/LocalDate", "now", "()Ljava/time/LocalDate;", "localDateNow");
    call("java/time/LocalTime", "now", "()Ljava/time/LocalTime;", "localTimeNow");
    call("java/time/LocalDateTime", "now", "()Ljava/time/LocalDateTime;", "localDateTimeNow");
    call("java/time/ZonedDateTime", "now", "()Ljava/time/ZonedDateTime;", "zonedDateTimeNow");
    call("java/time/Clock", "systemUTC", "()Ljava/time/Clock;", "clockUtc");
    call("java/time/Clock", "systemDefaultZone", "()Ljava/time/Clock;", "clockDefaultZone");
    call("java/lang/System", "getProperty", "(Ljava/lang/String;)Ljava/lang/String;", "getProperty");
    call("java/lang/System", "getProperty", "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;", "getProperty");
    call("java/lang/System", "setProperty", "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;", "setProperty");
    call("java/lang/System", "clearProperty", "(Ljava/lang/String;)Ljava/lang/String;", "clearProperty");
    call("java/lang/System", "getProperties", "()Ljava/util/Properties;", "getProperties");
    call("java/lang/System", "setProperties", "(Ljava/util/Properties;)V", "setProperties");
    call("java/lang/Boolean", "getBoolean", "(Ljava/lang/String;)Z", "getBoolean");
    call("java/lang/Integer", "getInteger", "(Ljava/lang/String;)Ljava/lang/Integer;", "getInteger");
    call("java/lang/Integer", "getInteger", "(Ljava/lang/String;I)Ljava/lang/Integer;", "getInteger");
    call("java/lang/Long", "getLong", "(Ljava/lang/String;)Ljava/lang/Long;", "getLong");
    call("java/lang/Long", "getLong", "(Ljava/lang/String;J)Ljava/lang/Long;", "getLong");
    call("java/lang/System", "getenv", "()Ljava/util/Map;", "getenv");
    call("java/lang/System", "getenv", "(Ljava/lang/String;)Ljava/lang/String;", "getenv");
    call("java/io/File", "createTempFile", "(Ljava/lang/String;Ljava/lang/String;)Ljava/io/File;", "createTempFile");
    call("java/io/File", "createTempFile",
        "(Ljava/lang/String;Ljava/lang/String;Ljava/io/File;)Ljava/io/File;", "createTempFile");
    call("java/io/FileDescriptor", "sync", "()V", "sync");
    call(
        "libcore/util/NativeAllocationRegistry", "registerNativeAllocation", "(Ljava/lang/Object;J)Ljava/lang/Runnable;",
        "registerNativeAllocation");
    call("java/io/File", "listRoots", "()[Ljava/io/File;", "listRoots");
    call("java/lang/Runtime", "exec", "(Ljava/lang/String;)Ljava/lang/Process;", "exec");
    call("java/lang/Runtime", "exec", "([Ljava/lang/String;)Ljava/lang/Process;", "exec");
    call("java/lang/Runtime", "exec", "(Ljava/lang/String;[Ljava/lang/String;)Ljava/lang/Process;", "exec");
    call("java/lang/Runtime", "exec", "([Ljava/lang/String;[Ljava/lang/String;)Ljava/lang/Process;", "exec");
    call("java/lang/Runtime", "exec",
        "(Ljava/lang/String;[Ljava/lang/String;Ljava/io/File;)Ljava/lang/Process;", "exec");
    call("java/lang/Runtime", "exec",
        "([Ljava/lang/String;[Ljava/lang/String;Ljava/io/File;)Ljava/lang/Process;", "exec");
    call("java/lang/ProcessBuilder", "start", "()Ljava/lang/Process;", "startProcess");
    call("java/net/NetworkInterface", "getNetworkInterfaces", "()Ljava/util/Enumeration;", "networkInterfaces");
    call("java/lang/Throwable", "printStackTrace", "()V", "printStackTrace");
    call("android/os/Process", "killProcess", "(I)V", "killProcess");
  }

  private CallRewriter() {}

  /** Rewrites the calls in one class; natives gain a body. Returns the number of native methods that it had. */
  static int rewrite(ClassNode owner, ClassTree tree) {
    int natives = 0;
    for (MethodNode method : owner.methods) {
      if ((method.access & Opcodes.ACC_NATIVE) != 0) {
        giveBody(owner.name, method);
        natives++;
        continue;
      }
      for (AbstractInsnNode insn : method.instructions.toArray()) {
        if (isShared(insn)) method.instructions.insertBefore(insn, runtime("step", "()V"));
        if (insn instanceof MethodInsnNode call) rewriteCall(method, call, tree);
      }
      if (isThreadBody(method) && tree.isA(owner.name, "java/lang/Thread")) {
        method.instructions.insert(runtime("begin", "()V"));
      }
    }
    return natives;
  }

  /** Before what threads do to each other another thread may be put first. */
  private static boolean isShared(AbstractInsnNode insn) {
    if (insn.getOpcode() == Opcodes.MONITORENTER) return true;
    if (!(insn instanceof MethodInsnNode call)) return false;
    // A constructor's object is not shared yet, and between NEW and its call the verifier is strict.
    if (call.name.equals("<init>")) return false;
    return call.owner.startsWith("java/util/concurrent/")
        || (call.owner.equals("android/os/Handler") && (call.name.startsWith("post") || call.name.startsWith("send")))
        || (call.owner.equals("java/lang/Runnable") && call.name.equals("run"));
  }

  private static boolean isThreadBody(MethodNode method) {
    return method.name.equals("run") && method.desc.equals("()V") && method.instructions.size() > 0;
  }

  private static MethodInsnNode runtime(String name, String descriptor) {
    return new MethodInsnNode(Opcodes.INVOKESTATIC, RUNTIME, name, descriptor, false);
  }

  /**
   * The framework's part in the order of threads: where its classes wait, where its threads begin, and where a looper
   * dispatches a message. Returns whether there was any.
   */
  static boolean rewriteThreads(ClassNode owner) {
    boolean changed = rewriteWaits(owner);
    boolean isThread = "java/lang/Thread".equals(owner.superName) || "android/os/HandlerThread".equals(owner.superName);
    for (MethodNode method : owner.methods) {
      String entry = null;
      if (isThread && isThreadBody(method)) entry = "begin";
      if (owner.name.equals("android/os/Handler") && method.name.endsWith("dispatchMessage")) entry = "task";
      if (entry == null) continue;
      method.instructions.insert(new MethodInsnNode(Opcodes.INVOKESTATIC, GATE, entry, "()V", false));
      changed = true;
    }
    return changed;
  }

  /** Object.wait and notify of one class of the framework, of Robolectric or of the JDK, and the JDK's clock. */
  static boolean rewriteWaits(ClassNode owner) {
    boolean jdk = owner.name.startsWith("java/");
    boolean changed = false;
    for (MethodNode method : owner.methods) {
      for (AbstractInsnNode insn : method.instructions.toArray()) {
        if (!(insn instanceof MethodInsnNode call)) continue;
        boolean clock =
            jdk
                && call.owner.equals("java/lang/System")
                && (call.name.equals("nanoTime") || call.name.equals("currentTimeMillis"));
        boolean waits =
            call.owner.equals("java/lang/Object")
                && (call.name.equals("wait") || call.name.equals("notify") || call.name.equals("notifyAll"));
        if (clock) {
          call.owner = GATE;
        } else if (waits) {
          String name = call.name.equals("wait") ? "await" : call.name;
          String descriptor = "(Ljava/lang/Object;" + call.desc.substring(1);
          method.instructions.set(insn, new MethodInsnNode(Opcodes.INVOKESTATIC, GATE, name, descriptor, false));
        }
        changed |= clock || waits;
      }
    }
    return changed;
  }

  /**
   * The calls of {@link #ALSO_IN_FRAMEWORK} and the dates of one framework class; returns whether there were any. Random
   * numbers stay as they are: the framework draws some while its classes load, which happens once per JVM and would shift
   * the app's.
   */
  static boolean rewriteLibraryCalls(ClassNode owner) {
    boolean changed = false;
    for (MethodNode method : owner.methods) {
      for (AbstractInsnNode insn : method.instructions.toArray()) {
        if (!(insn instanceof MethodInsnNode call)) continue;
        boolean date = call.owner.equals("java/util/Date") && call.name.equals("<init>") && call.desc.equals("()V");
        if (date) {
          insertLong(method, call, "currentTimeMillis");
          // The long needs two more places on the stack; the framework's frames are kept as they are.
          method.maxStack += 2;
        }
        changed |= date;
        changed |= ALSO_IN_FRAMEWORK.contains(call.owner + "." + call.name) && replace(method, call, call.owner);
      }
    }
    return changed;
  }

  private static void rewriteCall(MethodNode method, MethodInsnNode call, ClassTree tree) {
    if (call.name.equals("<init>")) {
      rewriteConstructor(method, call);
      return;
    }
    String owner = call.owner;
    // Inherited statics and methods are called through the subclass's name.
    boolean ofThread = call.name.equals("sleep") || call.name.equals("yield");
    if (call.getOpcode() == Opcodes.INVOKESTATIC && ofThread && tree.isA(owner, "java/lang/Thread")) {
      owner = "java/lang/Thread";
    }
    if (call.name.equals("printStackTrace") && owner.startsWith("java/") && tree.isA(owner, "java/lang/Throwable")) {
      owner = "java/lang/Throwable";
    }
    replace(method, call, owner);
  }

  /** The runtime's call in place of one of {@code owner}; false where the table has none. */
  private static boolean replace(MethodNode method, MethodInsnNode call, String owner) {
    String runtimeName = TABLE.get(owner + "." + call.name + call.desc);
    if (runtimeName == null || call.getOpcode() == Opcodes.INVOKESPECIAL) return false;
    String descriptor = call.desc;
    if (call.getOpcode() != Opcodes.INVOKESTATIC) {
      descriptor = "(L" + owner + ";" + descriptor.substring(1);
    }
    method.instructions.set(call, new MethodInsnNode(Opcodes.INVOKESTATIC, RUNTIME, runtimeName, descriptor, false));
    return true;
  }

  /** {@code new Random()} becomes {@code new Random(AppRuntime.nextSeed())}, {@code new Date()} likewise. */
  private static void rewriteConstructor(MethodNode method, MethodInsnNode call) {
    if (!call.desc.equals("()V")) return;
    if (call.owner.equals("java/util/Random")) {
      insertLong(method, call, "nextSeed");
    } else if (call.owner.equals("java/util/Date")) {
      insertLong(method, call, "currentTimeMillis");
    } else if (call.owner.equals("java/security/SecureRandom")) {
      replaceNew(method, call, "secureRandom", "Ljava/security/SecureRandom;");
    } else if (call.owner.equals("java/util/GregorianCalendar")) {
      replaceNew(method, call, "gregorianCalendar", "Ljava/util/GregorianCalendar;");
    }
  }

  private static void insertLong(MethodNode method, MethodInsnNode call, String runtimeName) {
    method.instructions.insertBefore(
        call, new MethodInsnNode(Opcodes.INVOKESTATIC, RUNTIME, runtimeName, "()J", false));
    call.desc = "(J)V";
  }

  /**
   * Where the object has just been made by NEW, DUP, the three instructions become one factory call. A constructor call
   * of another shape (a subclass's super call) stays as it is.
   */
  private static void replaceNew(MethodNode method, MethodInsnNode call, String factory, String type) {
    AbstractInsnNode dup = previous(call);
    AbstractInsnNode made = dup == null ? null : previous(dup);
    if (made == null || dup.getOpcode() != Opcodes.DUP) return;
    if (!(made instanceof TypeInsnNode node) || node.getOpcode() != Opcodes.NEW) return;
    method.instructions.remove(made);
    method.instructions.remove(dup);
    method.instructions.set(call, new MethodInsnNode(Opcodes.INVOKESTATIC, RUNTIME, factory, "()" + type, false));
  }

  private static AbstractInsnNode previous(AbstractInsnNode insn) {
    AbstractInsnNode before = insn.getPrevious();
    while (before != null && before.getOpcode() < 0 && before.getType() == AbstractInsnNode.LINE) {
      before = before.getPrevious();
    }
    return before;
  }

  /** The library behind a native method is for another machine: the method says so in the log and returns nothing. */
  private static void giveBody(String owner, MethodNode method) {
    method.access &= ~Opcodes.ACC_NATIVE;
    InsnList code = method.instructions;
    code.add(new LdcInsnNode(owner.replace('/', '.') + "." + method.name));
    code.add(new MethodInsnNode(Opcodes.INVOKESTATIC, RUNTIME, "nativeCalled", "(Ljava/lang/String;)V", false));
    Type type = Type.getReturnType(method.desc);
    switch (type.getSort()) {
      case Type.VOID -> {}
      case Type.LONG -> code.add(new InsnNode(Opcodes.LCONST_0));
      case Type.FLOAT -> code.add(new InsnNode(Opcodes.FCONST_0));
      case Type.DOUBLE -> code.add(new InsnNode(Opcodes.DCONST_0));
      case Type.OBJECT, Type.ARRAY -> code.add(new InsnNode(Opcodes.ACONST_NULL));
      default -> code.add(new InsnNode(Opcodes.ICONST_0));
    }
    code.add(new InsnNode(type.getOpcode(Opcodes.IRETURN)));
  }

  /** Name and descriptor of each method of AppRuntime that this table calls, for the test that they exist. */
  static List<String> runtimeCalls() {
    List<String> calls = new ArrayList<>(List.of("step()V", "begin()V"));
    for (Map.Entry<String, String> entry : TABLE.entrySet()) {
      String key = entry.getKey();
      String owner = key.substring(0, key.indexOf('.'));
      String name = key.substring(owner.length() + 1, key.indexOf('('));
      String descriptor = key.substring(key.indexOf('('));
      if (INSTANCE_OWNERS.contains(owner)) descriptor = "(L" + owner + ";" + descriptor.substring(1);
      calls.add(entry.getValue() + descriptor);
    }
    return calls;
  }
}
