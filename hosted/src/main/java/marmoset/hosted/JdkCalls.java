package marmoset.hosted;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * The JVM's agent: makes the JDK's own threads and queues ask {@link marmoset.hosted.gate.Gate} who may run. Everything
 * in java.util.concurrent waits in LockSupport, so few places suffice:
 *
 * <ul>
 *   <li>LockSupport.park and unpark, and Thread.interrupt: where the gate is in charge, the JVM's way is not taken;
 *   <li>Thread.start, the begin of run and the end of a thread;
 *   <li>Object.wait and notify and the clock, in Thread, Timer and java.util.concurrent;
 *   <li>before a pool, a timer or ForkJoin begins a task;
 *   <li>the order of Set.of and Map.of, which differs from one JVM to the next;
 *   <li>Looking up a name and connecting, which a phone forbids on the main thread;
 *   <li>System.gc, which Robolectric calls whenever an activity is recreated;
 *   <li>Thread.setDefaultUncaughtExceptionHandler, since that handler is how the host sees crashes.
 * </ul>
 *
 * <p>The classes that open files ask {@link marmoset.hosted.gate.PhoneFiles} for the path.
 *
 * <p>Only bodies of methods change, as the JVM demands of classes that are loaded already.
 */
public final class JdkCalls implements ClassFileTransformer {
  private static final String GATE = CallRewriter.GATE;
  private static final String LOCK_SUPPORT = "java/util/concurrent/locks/LockSupport";
  private static final String THREAD = "java/lang/Thread";
  private static final String SYSTEM = "java/lang/System";
  private static final String ADDRESS = "java/net/InetAddress";
  private static final String SOCKET = "java/net/Socket";
  private static final String FILE = "java/io/File";
  private static final String IMMUTABLE_COLLECTIONS = "java/util/ImmutableCollections";

  /**
   * The places without which the order of threads or of a collection, what is in a file, or who hears of a crash would be
   * left to chance, as "class.method".
   */
  private static final Set<String> NEEDED =
      Set.of(
          LOCK_SUPPORT + ".park", LOCK_SUPPORT + ".parkNanos", LOCK_SUPPORT + ".parkUntil", LOCK_SUPPORT + ".unpark",
          THREAD + ".start", THREAD + ".run", THREAD + ".exit", THREAD + ".interrupt",
          THREAD + ".setDefaultUncaughtExceptionHandler", SYSTEM + ".gc",
          IMMUTABLE_COLLECTIONS + "$MapN$MapNIterator.nextIndex",
          IMMUTABLE_COLLECTIONS + "$SetN$SetNIterator.next",
          FILE + ".exists", FILE + ".normalizedList", FILE + ".delete", FILE + ".lastModified",
          "java/io/FileInputStream.open", "java/io/FileOutputStream.open", "java/io/RandomAccessFile.open");

  private static final String PHONE_FILES = "marmoset/hosted/gate/PhoneFiles";
  private static final String UNIX_PATH = "sun/nio/fs/UnixPath";

  /** The JDK's classes that take a path to the system. */
  private static final Set<String> FILES =
      Set.of(FILE, "java/io/FileInputStream", "java/io/FileOutputStream", "java/io/RandomAccessFile", UNIX_PATH);

  /** File's methods that ask the system about the file, and those that change it. */
  private static final Set<String> LOOKS =
      Set.of(
          "canRead", "canWrite", "canExecute", "exists", "isDirectory", "isFile", "isHidden", "lastModified", "length",
          "normalizedList");

  private static final Set<String> CHANGES =
      Set.of(
          "createNewFile", "delete", "mkdir", "renameTo", "setExecutable", "setLastModified", "setReadable",
          "setReadOnly", "setWritable");

  private final Set<String> done = new TreeSet<>();

  public static void premain(String arguments, Instrumentation instrumentation) throws UnmodifiableClassException {
    JdkCalls pass = new JdkCalls();
    instrumentation.addTransformer(pass, true);
    List<Class<?>> loaded = new ArrayList<>();
    for (Class<?> c : instrumentation.getAllLoadedClasses()) {
      if (c.getClassLoader() == null && isWanted(c.getName().replace('.', '/'))) loaded.add(c);
    }
    instrumentation.retransformClasses(loaded.toArray(new Class<?>[0]));
    if (!pass.done.containsAll(NEEDED)) {
      throw new IllegalStateException("this JDK's threads and files are not those of JDK 17; found only " + pass.done);
    }
  }

  private static boolean isWanted(String name) {
    return name.startsWith("java/util/concurrent/")
        || name.startsWith(IMMUTABLE_COLLECTIONS)
        || name.equals(THREAD)
        || name.equals(SYSTEM)
        || name.equals(ADDRESS)
        || name.equals(SOCKET)
        || name.equals("java/util/Timer")
        || FILES.contains(name)
        || name.equals("java/util/TimerThread");
  }

  @Override
  public byte[] transform(
      ClassLoader loader, String name, Class<?> old, ProtectionDomain domain, byte[] bytes) {
    if (loader != null || name == null || !isWanted(name)) return null;
    return rewrite(bytes);
  }

  /** The class with its calls of the gate; null where it has none. */
  byte[] rewrite(byte[] bytes) {
    ClassNode node = new ClassNode();
    new ClassReader(bytes).accept(node, 0);
    boolean changed = CallRewriter.rewriteWaits(node);
    for (MethodNode method : node.methods) {
      if ((method.access & (Opcodes.ACC_NATIVE | Opcodes.ACC_ABSTRACT)) != 0) continue;
      changed |= beforeTasks(node.name, method);
      // At most one of the three has to do with a class.
      boolean found = enter(node, method) || fixOrder(node.name, method);
      found |= FILES.contains(node.name) && redirect(node.name, method);
      if (found) done.add(node.name + "." + method.name);
      changed |= found;
    }
    if (!changed) return null;
    ClassWriter writer = new ClassWriter(0);
    node.accept(writer);
    return writer.toByteArray();
  }

  /** Has one method ask the gate first. */
  private static boolean enter(ClassNode owner, MethodNode method) {
    if (owner.name.equals(LOCK_SUPPORT)) {
      switch (method.name + method.desc) {
        case "park()V", "park(Ljava/lang/Object;)V" -> unlessDone(method, "park", "()Z");
        case "parkNanos(J)V" -> unlessDone(method, "parkNanos", "(J)Z", new VarInsnNode(Opcodes.LLOAD, 0));
        case "parkNanos(Ljava/lang/Object;J)V" ->
            unlessDone(method, "parkNanos", "(J)Z", new VarInsnNode(Opcodes.LLOAD, 1));
        case "parkUntil(J)V" -> unlessDone(method, "parkUntil", "(J)Z", new VarInsnNode(Opcodes.LLOAD, 0));
        case "parkUntil(Ljava/lang/Object;J)V" ->
            unlessDone(method, "parkUntil", "(J)Z", new VarInsnNode(Opcodes.LLOAD, 1));
        case "unpark(Ljava/lang/Thread;)V" ->
            unlessDone(method, "unpark", "(Ljava/lang/Thread;)Z", new VarInsnNode(Opcodes.ALOAD, 0));
        default -> {
          return false;
        }
      }
      return true;
    }
    if (owner.name.equals(THREAD)) {
      switch (method.name + method.desc) {
        case "setDefaultUncaughtExceptionHandler(Ljava/lang/Thread$UncaughtExceptionHandler;)V" ->
            unlessDone(method, "isEnrolled", "()Z");
        case "start()V" -> first(method, "start", "(Ljava/lang/Thread;)V", new VarInsnNode(Opcodes.ALOAD, 0));
        case "exit()V" -> first(method, "end", "()V");
        case "run()V" -> first(method, "begin", "()V");
        case "interrupt()V" ->
            unlessDone(method, "interrupt", "(Ljava/lang/Thread;)Z", new VarInsnNode(Opcodes.ALOAD, 0));
        default -> {
          return false;
        }
      }
      return true;
    }
    if (owner.name.equals(SYSTEM) && (method.name + method.desc).equals("gc()V")) {
      unlessDone(method, "isEnrolled", "()Z");
      return true;
    }
    boolean network =
        (owner.name.equals(ADDRESS) && method.name.equals("getAllByName0"))
            || (owner.name.equals(SOCKET) && method.name.equals("connect"));
    if (network) {
      first(method, "network", "()V");
      return true;
    }
    if (THREAD.equals(owner.superName) && (method.name + method.desc).equals("run()V")) {
      first(method, "begin", "()V");
      return true;
    }
    if (owner.name.equals("java/util/concurrent/ForkJoinTask") && method.name.equals("doExec")) {
      first(method, "task", "()V");
      return true;
    }
    return false;
  }

  /** Only iterators read the two fields, so what is in a collection is found as before. */
  private static boolean fixOrder(String owner, MethodNode method) {
    if (!owner.startsWith(IMMUTABLE_COLLECTIONS + "$")) return false;
    boolean changed = false;
    for (AbstractInsnNode insn : method.instructions.toArray()) {
      if (!(insn instanceof FieldInsnNode field) || !field.owner.equals(IMMUTABLE_COLLECTIONS)) continue;
      boolean salt = field.name.equals("SALT32L");
      if (!salt && !field.name.equals("REVERSE")) continue;
      method.instructions.set(insn, new InsnNode(salt ? Opcodes.LCONST_0 : Opcodes.ICONST_0));
      changed = true;
    }
    return changed;
  }

  private static boolean beforeTasks(String owner, MethodNode method) {
    boolean runs =
        (owner.equals("java/util/concurrent/ThreadPoolExecutor") && method.name.equals("runWorker"))
            || owner.equals("java/util/TimerThread");
    if (!runs) return false;
    boolean changed = false;
    for (AbstractInsnNode insn : method.instructions.toArray()) {
      if (!(insn instanceof MethodInsnNode call) || !(call.name + call.desc).equals("run()V")) continue;
      method.instructions.insertBefore(insn, gate("task", "()V"));
      changed = true;
    }
    return changed;
  }

  /** The method works on the path that the app shall see. */
  private static boolean redirect(String owner, MethodNode method) {
    InsnList code = new InsnList();
    if (owner.equals(FILE)) {
      if (LOOKS.contains(method.name)) replaceFile(code, "file", 0);
      if (CHANGES.contains(method.name)) replaceFile(code, "target", 0);
      if (method.name.equals("renameTo")) replaceFile(code, "target", 1);
      switch (method.name) {
        case "normalizedList" ->
            beforeReturn(method, phoneFiles("sorted", "([Ljava/lang/String;)[Ljava/lang/String;"));
        case "lastModified" ->
            beforeReturn(
                method, new VarInsnNode(Opcodes.ALOAD, 0), phoneFiles("modified", "(JLjava/io/File;)J"));
        case "getTotalSpace" -> beforeReturn(method, new InsnNode(Opcodes.ICONST_1), phoneFiles("space", "(JZ)J"));
        case "getFreeSpace", "getUsableSpace" ->
            beforeReturn(method, new InsnNode(Opcodes.ICONST_0), phoneFiles("space", "(JZ)J"));
        default -> {
          if (code.size() == 0) return false;
        }
      }
    } else if (owner.equals(UNIX_PATH)) {
      if (!method.name.equals("getByteArrayForSysCalls")) return false;
      code.add(new VarInsnNode(Opcodes.ALOAD, 0));
      code.add(phoneFiles("path", "(Ljava/nio/file/Path;)Ljava/nio/file/Path;"));
      code.add(new TypeInsnNode(Opcodes.CHECKCAST, UNIX_PATH));
      code.add(new VarInsnNode(Opcodes.ASTORE, 0));
    } else {
      if (!method.name.equals("open")) return false;
      boolean both = owner.equals("java/io/RandomAccessFile");
      code.add(new VarInsnNode(Opcodes.ALOAD, 1));
      if (both) code.add(new VarInsnNode(Opcodes.ILOAD, 2));
      String name = both ? "open" : owner.equals("java/io/FileInputStream") ? "read" : "write";
      code.add(phoneFiles(name, both ? "(Ljava/lang/String;I)Ljava/lang/String;" : "(Ljava/lang/String;)Ljava/lang/String;"));
      code.add(new VarInsnNode(Opcodes.ASTORE, 1));
    }
    method.instructions.insert(code);
    method.maxStack += 2;
    return true;
  }

  private static void replaceFile(InsnList code, String name, int variable) {
    code.add(new VarInsnNode(Opcodes.ALOAD, variable));
    code.add(phoneFiles(name, "(Ljava/io/File;)Ljava/io/File;"));
    code.add(new VarInsnNode(Opcodes.ASTORE, variable));
  }

  private static void beforeReturn(MethodNode method, AbstractInsnNode... call) {
    for (AbstractInsnNode insn : method.instructions.toArray()) {
      if (insn.getOpcode() != Opcodes.LRETURN && insn.getOpcode() != Opcodes.ARETURN) continue;
      for (AbstractInsnNode one : call) method.instructions.insertBefore(insn, one.clone(null));
    }
  }

  private static MethodInsnNode phoneFiles(String name, String descriptor) {
    return new MethodInsnNode(Opcodes.INVOKESTATIC, PHONE_FILES, name, descriptor, false);
  }

  private static MethodInsnNode gate(String name, String descriptor) {
    return new MethodInsnNode(Opcodes.INVOKESTATIC, GATE, name, descriptor, false);
  }

  private static void first(MethodNode method, String name, String descriptor, AbstractInsnNode... arguments) {
    InsnList code = new InsnList();
    for (AbstractInsnNode argument : arguments) code.add(argument);
    code.add(gate(name, descriptor));
    method.instructions.insert(code);
    method.maxStack = Math.max(method.maxStack, 2);
  }

  /** The method returns at once where the gate says that all is done. */
  private static void unlessDone(MethodNode method, String name, String descriptor, AbstractInsnNode... arguments) {
    InsnList code = new InsnList();
    for (AbstractInsnNode argument : arguments) code.add(argument);
    code.add(gate(name, descriptor));
    LabelNode go = new LabelNode();
    code.add(new JumpInsnNode(Opcodes.IFEQ, go));
    code.add(new InsnNode(Opcodes.RETURN));
    code.add(go);
    code.add(new FrameNode(Opcodes.F_SAME, 0, null, 0, null));
    method.instructions.insert(code);
    method.maxStack = Math.max(method.maxStack, 2);
  }
}
