package marmoset.hosted;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * Makes a class that dex2jar wrote fit for the JVM's verifier:
 *
 * <ol>
 *   <li>calls of static, private and super methods of interfaces are marked as such (dex2jar leaves the mark out, the JVM
 *       answers IncompatibleClassChangeError);
 *   <li>the class version is 52 and the stack map frames are computed with the whole class hierarchy (dex2jar writes
 *       none, or ones that meet in a class that does not exist);
 *   <li>the calls of {@link CallRewriter} are rewritten.
 * </ol>
 *
 * <p>A method for which no frames can be computed is replaced by one that throws, and is named in {@link #failures}.
 * One instance per class; not thread-safe.
 */
final class ClassRepair {
  /** A method that could not be repaired, and why. */
  record Failure(String method, String why) {}

  private final ClassTree tree;
  private final String sourceFile;
  private final List<Failure> failures = new ArrayList<>();
  private int natives;
  private int methods;

  /** {@code sourceFile} is the name for stack traces, or null where it is not known. */
  ClassRepair(ClassTree tree, String sourceFile) {
    this.tree = tree;
    this.sourceFile = sourceFile;
  }

  List<Failure> failures() {
    return failures;
  }

  int natives() {
    return natives;
  }

  int methods() {
    return methods;
  }

  byte[] repair(byte[] bytes) {
    ClassNode node = new ClassNode();
    new ClassReader(bytes).accept(node, ClassReader.SKIP_FRAMES);
    node.version = Opcodes.V1_8;
    if (node.sourceFile == null) node.sourceFile = sourceFile;
    for (MethodNode method : node.methods) {
      if (method.instructions.size() > 0) methods++;
      for (AbstractInsnNode insn : method.instructions) {
        if (insn instanceof MethodInsnNode call) markInterfaceCall(call);
      }
    }
    natives = CallRewriter.rewrite(node, tree);
    try {
      return write(node);
    } catch (RuntimeException e) {
      return writeWithoutBadMethods(node);
    }
  }

  private void markInterfaceCall(MethodInsnNode call) {
    if (call.getOpcode() != Opcodes.INVOKEINTERFACE && !call.owner.startsWith("[")) {
      call.itf = tree.isInterface(call.owner);
    }
  }

  private byte[] write(ClassNode node) {
    ClassWriter writer =
        new ClassWriter(ClassWriter.COMPUTE_FRAMES) {
          @Override
          protected String getCommonSuperClass(String a, String b) {
            return tree.commonSuperclass(a, b);
          }
        };
    node.accept(writer);
    return writer.toByteArray();
  }

  private byte[] writeWithoutBadMethods(ClassNode node) {
    for (MethodNode method : node.methods) {
      if (method.instructions.size() == 0) continue;
      ClassNode alone = new ClassNode();
      alone.version = node.version;
      alone.access = node.access;
      alone.name = node.name;
      alone.superName = node.superName;
      alone.methods.add(method);
      try {
        write(alone);
      } catch (RuntimeException e) {
        String why = e instanceof MethodTooLargeException ? "larger than 64 KiB" : String.valueOf(e.getMessage());
        failures.add(new Failure(node.name.replace('/', '.') + "." + method.name + method.desc, why));
        makeThrow(method, why);
      }
    }
    return write(node);
  }

  /** A VerifyError is what the JVM would have said; the device's gap rule knows it as a conversion fault. */
  private static void makeThrow(MethodNode method, String why) {
    method.instructions.clear();
    method.tryCatchBlocks.clear();
    if (method.localVariables != null) method.localVariables.clear();
    method.instructions.add(new TypeInsnNode(Opcodes.NEW, "java/lang/VerifyError"));
    method.instructions.add(new InsnNode(Opcodes.DUP));
    method.instructions.add(new LdcInsnNode("not converted: " + why));
    method.instructions.add(
        new MethodInsnNode(Opcodes.INVOKESPECIAL, "java/lang/VerifyError", "<init>", "(Ljava/lang/String;)V", false));
    method.instructions.add(new InsnNode(Opcodes.ATHROW));
  }
}
