package marmoset.hosted;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * {@code DirectCalls LEVEL IN.jar OUT.jar}: Robolectric's framework jar enters every method through an invokedynamic, so
 * that a shadow may take it over. This pass puts a plain call in its place, of the real method or of the shadow's ({@link
 * ShadowPicks}). A plain call needs no bootstrap, no guard against another choice of shadows and no handler that cleans
 * stack traces ({@link StackText} does that once, in a report), and the JVM compiles it sooner; a cold start and hot code
 * are more than twice as fast, and the behaviour is the same.
 *
 * <p>The same pass gives the framework what of {@link CallRewriter} concerns it, such as the device's time for its
 * calendars, and its threads their places in the order ({@link marmoset.hosted.gate.Gate}). With {@code --keep-calls} for
 * the level it does only that, so that one can check that direct calls change nothing (tests/rewrites_change_nothing.sh).
 */
public final class DirectCalls {
  private static final String SUPPORT = "org/robolectric/internal/bytecode/InvokeDynamicSupport";
  private static final String OBJECT = "Ljava/lang/Object;";

  /** What answers a call: the real method, one of a shadow, or what only a running device can say. */
  record Pick(boolean isReal, Method shadow) {
    static final Pick REAL = new Pick(true, null);
    static final Pick UNKNOWN = new Pick(false, null);

    static Pick shadow(Method method) {
      return new Pick(false, method);
    }
  }

  interface Picks {
    /** {@code descriptor} is the method's; its owner, like all types in it, is a class of the framework or the JDK. */
    Pick pick(String owner, String name, String descriptor, boolean isNative);

    /** Whether a new object of that class gets a shadow: the class or one that it extends has one. */
    boolean hasShadow(String owner);
  }

  /** Null: no call becomes direct. */
  private final Picks picks;
  private long real;
  private long shadows;
  private long unshadowed;
  private long kept;

  DirectCalls(Picks picks) {
    this.picks = picks;
  }

  public static void main(String[] args) {
    if (args.length != 3) {
      System.err.println("usage: DirectCalls LEVEL|--keep-calls IN.jar OUT.jar");
      System.exit(2);
    }
    // Exits, because the threads of a sandbox would go on.
    try {
      Path in = Path.of(args[1]);
      DirectCalls pass =
          new DirectCalls(args[0].equals("--keep-calls") ? null : new ShadowPicks(Integer.parseInt(args[0]), in));
      pass.rewriteJar(in, Path.of(args[2]));
      System.err.printf(
          "direct calls: %d of real methods, %d of shadows; %d classes without shadow; %d call sites are as they were%n",
          pass.real, pass.shadows, pass.unshadowed, pass.kept);
      System.exit(0);
    } catch (Throwable e) {
      e.printStackTrace();
      System.exit(1);
    }
  }

  private void rewriteJar(Path in, Path out) throws IOException {
    StoredJar.copy(in, out, (name, bytes) -> name.endsWith(".class") ? rewriteClass(bytes) : bytes);
  }

  /** The class with direct calls; the same array where nothing changed. */
  byte[] rewriteClass(byte[] bytes) {
    ClassNode node = new ClassNode();
    new ClassReader(bytes).accept(node, 0);
    boolean changed = CallRewriter.rewriteLibraryCalls(node);
    changed |= CallRewriter.rewriteThreads(node);
    for (MethodNode method : node.methods) {
      for (AbstractInsnNode insn : method.instructions.toArray()) {
        if (!(insn instanceof InvokeDynamicInsnNode call) || !call.bsm.getOwner().equals(SUPPORT)) continue;
        if (picks != null && makeDirect(node.name, method, call)) {
          changed = true;
        } else {
          kept++;
        }
      }
    }
    if (!changed) return bytes;
    ClassWriter writer = new ClassWriter(0);
    node.accept(writer);
    return writer.toByteArray();
  }

  private boolean makeDirect(String owner, MethodNode method, InvokeDynamicInsnNode call) {
    return switch (call.bsm.getName()) {
      case "bootstrap" -> enterDirectly(owner, method, call, false);
      case "bootstrapStatic" -> enterDirectly(owner, method, call, true);
      case "bootstrapInit" -> !picks.hasShadow(owner) && makeNoShadow(method, call);
      default -> false;
    };
  }

  /** The object's shadow becomes what is none and is not null, which would ask again in each constructor. */
  private boolean makeNoShadow(MethodNode method, InvokeDynamicInsnNode call) {
    method.instructions.insertBefore(call, new InsnNode(Opcodes.POP));
    method.instructions.set(
        call, new FieldInsnNode(Opcodes.GETSTATIC, "java/lang/Boolean", "FALSE", "Ljava/lang/Boolean;"));
    unshadowed++;
    return true;
  }

  private boolean enterDirectly(String owner, MethodNode method, InvokeDynamicInsnNode call, boolean isStatic) {
    boolean isNative = (Integer) call.bsmArgs[1] != 0;
    String descriptor = isStatic ? call.desc : withoutReceiver(call.desc);
    Pick pick = picks.pick(owner, call.name, descriptor, isNative);
    if (pick.isReal) {
      MethodInsnNode plain = plainCall(owner, call);
      if (plain == null) return false;
      method.instructions.set(call, plain);
      real++;
      return true;
    }
    if (pick.shadow == null || !takes(pick.shadow, descriptor)) return false;
    if (!callShadow(owner, method, call, isStatic, pick.shadow)) return false;
    shadows++;
    return true;
  }

  private static String withoutReceiver(String descriptor) {
    Type[] types = Type.getArgumentTypes(descriptor);
    return "(" + descriptor.substring(1 + types[0].getDescriptor().length());
  }

  /** The plain call, or null where there is none: another class's method, a constructor of the JVM. */
  private static MethodInsnNode plainCall(String owner, InvokeDynamicInsnNode call) {
    Handle target = (Handle) call.bsmArgs[0];
    if (!target.getOwner().equals(owner)) return null;
    int opcode =
        switch (target.getTag()) {
          case Opcodes.H_INVOKESTATIC -> Opcodes.INVOKESTATIC;
          case Opcodes.H_INVOKESPECIAL -> Opcodes.INVOKESPECIAL;
          case Opcodes.H_INVOKEVIRTUAL -> Opcodes.INVOKEVIRTUAL;
          default -> -1;
        };
    if (opcode < 0) return null;
    return new MethodInsnNode(opcode, owner, target.getName(), target.getDesc(), target.isInterface());
  }

  /**
   * Puts a call of the shadow's method in place of {@code call}; false, and nothing changed, where that method is out of
   * reach or {@code method} does more than call.
   */
  private static boolean callShadow(
      String owner, MethodNode method, InvokeDynamicInsnNode call, boolean isStatic, Method shadow) {
    boolean shadowIsStatic = Modifier.isStatic(shadow.getModifiers());
    if (!isReachable(shadow) || (isStatic && !shadowIsStatic) || !pushesOnly(method, call)) return false;

    InsnList code = method.instructions;
    AbstractInsnNode first = firstOf(method);
    String type = Type.getInternalName(shadow.getDeclaringClass());
    if (!isStatic && shadowIsStatic) {
      code.remove(first);
    } else if (!isStatic) {
      code.insert(first, new TypeInsnNode(Opcodes.CHECKCAST, type));
      code.insert(first, new MethodInsnNode(Opcodes.INVOKEVIRTUAL, owner, "$$robo$getData", "()" + OBJECT, false));
    }
    Type returned = Type.getReturnType(call.desc);
    if (!returned.equals(Type.getReturnType(shadow))) {
      code.insert(call, new TypeInsnNode(Opcodes.CHECKCAST, returned.getInternalName()));
    }
    int opcode = shadowIsStatic ? Opcodes.INVOKESTATIC : Opcodes.INVOKEVIRTUAL;
    code.set(call, new MethodInsnNode(opcode, type, shadow.getName(), Type.getMethodDescriptor(shadow), false));
    return true;
  }

  /** Whether the method does nothing before the call but to push its receiver, if it has one, and its arguments. */
  private static boolean pushesOnly(MethodNode method, InvokeDynamicInsnNode call) {
    for (AbstractInsnNode insn = firstOf(method); insn != call; insn = insn.getNext()) {
      int opcode = insn.getOpcode();
      if (opcode >= 0 && (opcode < Opcodes.ILOAD || opcode > Opcodes.ALOAD)) return false;
    }
    return true;
  }

  private static AbstractInsnNode firstOf(MethodNode method) {
    AbstractInsnNode insn = method.instructions.getFirst();
    while (insn.getOpcode() < 0) insn = insn.getNext();
    return insn;
  }

  /** {@link Libraries} makes the protected methods of Robolectric's shadows public. */
  private static boolean isReachable(Method shadow) {
    Class<?> type = shadow.getDeclaringClass();
    if (type.isInterface()) return false;
    return Libraries.isShadow(Type.getInternalName(type))
        ? (shadow.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0
        : Modifier.isPublic(shadow.getModifiers()) && Modifier.isPublic(type.getModifiers());
  }

  /** Whether the shadow's method has that signature, but for objects that it knows as Object only. */
  private static boolean takes(Method shadow, String descriptor) {
    Type[] given = Type.getArgumentTypes(descriptor);
    Type[] taken = Type.getArgumentTypes(shadow);
    boolean same = given.length == taken.length && isSame(Type.getReturnType(descriptor), Type.getReturnType(shadow));
    for (int i = 0; same && i < given.length; i++) same = isSame(given[i], taken[i]);
    return same;
  }

  private static boolean isSame(Type ofCall, Type ofShadow) {
    return ofCall.equals(ofShadow) || (ofCall.getSort() >= Type.ARRAY && ofShadow.getDescriptor().equals(OBJECT));
  }
}
