package marmoset.hosted;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Small classes as dex2jar writes them: without frames, without interface marks, with calls that leave the device. */
public class ClassRepairTest {
  /** Frames are missing at a branch; the JVM accepts the repaired class and runs it. */
  @Test
  public void computesFrames() throws Exception {
    ClassWriter writer = newClass("test/Frames");
    MethodVisitor code = writer.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "abs", "(I)I", null, null);
    Label positive = new Label();
    code.visitVarInsn(Opcodes.ILOAD, 0);
    code.visitJumpInsn(Opcodes.IFGE, positive);
    code.visitVarInsn(Opcodes.ILOAD, 0);
    code.visitInsn(Opcodes.INEG);
    code.visitInsn(Opcodes.IRETURN);
    code.visitLabel(positive);
    code.visitVarInsn(Opcodes.ILOAD, 0);
    code.visitInsn(Opcodes.IRETURN);
    code.visitMaxs(1, 1);
    byte[] repaired = repair(writer, new ClassTree());
    assertEquals(52, new ClassReader(repaired).readShort(6));
    assertEquals(7, load("test.Frames", repaired).getMethod("abs", int.class).invoke(null, -7));
  }

  @Test
  public void marksCallsOfInterfaceMethods() throws Exception {
    ClassWriter writer = newClass("test/Calls");
    MethodVisitor code = writer.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "list", "()Ljava/util/List;", null, null);
    code.visitMethodInsn(Opcodes.INVOKESTATIC, "java/util/List", "of", "()Ljava/util/List;", false);
    code.visitInsn(Opcodes.ARETURN);
    code.visitMaxs(1, 0);
    assertEquals(List.of(), load("test.Calls", repair(writer, new ClassTree())).getMethod("list").invoke(null));
  }

  @Test
  public void namesTheSourceFile() {
    ClassWriter writer = newClass("test/Named");
    ClassNode node = new ClassNode();
    new ClassReader(new ClassRepair(new ClassTree(), "Named.kt").repair(writer.toByteArray())).accept(node, 0);
    assertEquals("Named.kt", node.sourceFile);
  }

  @Test
  public void aMethodThatCannotBeRepairedThrowsWhenCalled() throws Exception {
    ClassWriter writer = newClass("test/Broken");
    MethodVisitor bad = writer.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "bad", "()V", null, null);
    bad.visitInsn(Opcodes.POP2);
    bad.visitInsn(Opcodes.IADD);
    bad.visitVarInsn(Opcodes.ASTORE, 60000);
    bad.visitInsn(Opcodes.RETURN);
    bad.visitMaxs(2, 1);
    MethodVisitor good = writer.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "good", "()I", null, null);
    good.visitInsn(Opcodes.ICONST_3);
    good.visitInsn(Opcodes.IRETURN);
    good.visitMaxs(1, 0);
    ClassRepair repair = new ClassRepair(new ClassTree(), null);
    byte[] repaired = repair.repair(writer.toByteArray());
    if (repair.failures().isEmpty()) return; // This ASM version coped with it; nothing to replace.
    Class<?> type = load("test.Broken", repaired);
    assertEquals(3, type.getMethod("good").invoke(null));
    try {
      type.getMethod("bad").invoke(null);
    } catch (InvocationTargetException e) {
      assertEquals(VerifyError.class, e.getCause().getClass());
    }
  }

  @Test
  public void rewritesCallsThatLeaveTheDevice() {
    ClassWriter writer = newClass("test/Leaves");
    MethodVisitor code = writer.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "go", "()V", null, null);
    code.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/System", "currentTimeMillis", "()J", false);
    code.visitInsn(Opcodes.POP2);
    code.visitLdcInsn(5L);
    code.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/Thread", "sleep", "(J)V", false);
    for (String type : List.of("java/util/Random", "java/util/Date", "java/security/SecureRandom")) {
      code.visitTypeInsn(Opcodes.NEW, type);
      code.visitInsn(Opcodes.DUP);
      code.visitMethodInsn(Opcodes.INVOKESPECIAL, type, "<init>", "()V", false);
      code.visitInsn(Opcodes.POP);
    }
    code.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/Runtime", "getRuntime", "()Ljava/lang/Runtime;", false);
    code.visitInsn(Opcodes.ICONST_0);
    code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "java/lang/Runtime", "exit", "(I)V", false);
    code.visitInsn(Opcodes.RETURN);
    code.visitMaxs(4, 0);
    List<String> calls = calls(repair(writer, new ClassTree()));
    assertEquals(
        List.of(
            CallRewriter.RUNTIME + ".currentTimeMillis()J",
            CallRewriter.RUNTIME + ".sleep(J)V",
            CallRewriter.RUNTIME + ".nextSeed()J",
            "java/util/Random.<init>(J)V",
            CallRewriter.RUNTIME + ".currentTimeMillis()J",
            "java/util/Date.<init>(J)V",
            CallRewriter.RUNTIME + ".secureRandom()Ljava/security/SecureRandom;",
            "java/lang/Runtime.getRuntime()Ljava/lang/Runtime;",
            CallRewriter.RUNTIME + ".exit(Ljava/lang/Runtime;I)V"),
        calls);
  }

  @Test
  public void threadsAskTheGate() {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(Opcodes.V1_6, Opcodes.ACC_PUBLIC, "test/Worker", null, "java/lang/Thread", null);
    MethodVisitor code = writer.visitMethod(Opcodes.ACC_PUBLIC, "run", "()V", null, null);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitInsn(Opcodes.MONITORENTER);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "java/lang/Object", "wait", "()V", false);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitInsn(Opcodes.MONITOREXIT);
    code.visitMethodInsn(Opcodes.INVOKESTATIC, "test/Worker", "yield", "()V", false);
    code.visitInsn(Opcodes.ACONST_NULL);
    code.visitMethodInsn(
        Opcodes.INVOKEVIRTUAL, "java/util/concurrent/atomic/AtomicInteger", "incrementAndGet", "()I", false);
    code.visitInsn(Opcodes.POP);
    code.visitInsn(Opcodes.RETURN);
    code.visitMaxs(1, 1);
    assertEquals(
        List.of(
            CallRewriter.RUNTIME + ".begin()V",
            CallRewriter.RUNTIME + ".step()V",
            CallRewriter.RUNTIME + ".await(Ljava/lang/Object;)V",
            CallRewriter.RUNTIME + ".yield()V",
            CallRewriter.RUNTIME + ".step()V",
            "java/util/concurrent/atomic/AtomicInteger.incrementAndGet()I"),
        calls(repair(writer, new ClassTree())));
  }

  @Test
  public void nativeMethodsGetABody() throws Exception {
    ClassWriter writer = newClass("test/Native");
    writer.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC | Opcodes.ACC_NATIVE, "get", "(JI)D", null, null).visitEnd();
    ClassRepair repair = new ClassRepair(new ClassTree(), null);
    byte[] repaired = repair.repair(writer.toByteArray());
    assertEquals(1, repair.natives());
    assertFalse(Modifier.isNative(load("test.Native", repaired).getMethod("get", long.class, int.class).getModifiers()));
    assertEquals(List.of(CallRewriter.RUNTIME + ".nativeCalled(Ljava/lang/String;)V"), calls(repaired));
  }

  /** The table and the runtime class must not drift apart: a wrong name shows only when an app makes that call. */
  @Test
  public void theRuntimeHasEveryNameOfTheTable() throws Exception {
    ClassNode runtime = new ClassNode();
    new ClassReader(ClassLoader.getSystemResourceAsStream(CallRewriter.RUNTIME + ".class")).accept(runtime, 0);
    Set<String> names = new HashSet<>();
    for (MethodNode method : runtime.methods) names.add(method.name + method.desc);
    for (String call : CallRewriter.runtimeCalls()) assertTrue(call, names.contains(call));
  }

  private static ClassWriter newClass(String name) {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(Opcodes.V1_6, Opcodes.ACC_PUBLIC, name, null, "java/lang/Object", null);
    return writer;
  }

  private static byte[] repair(ClassWriter writer, ClassTree tree) {
    byte[] bytes = writer.toByteArray();
    tree.add(new ClassReader(bytes));
    return new ClassRepair(tree, null).repair(bytes);
  }

  private static List<String> calls(byte[] bytes) {
    ClassNode node = new ClassNode();
    new ClassReader(bytes).accept(node, 0);
    List<String> calls = new ArrayList<>();
    for (MethodNode method : node.methods) {
      for (AbstractInsnNode insn : method.instructions) {
        if (insn instanceof MethodInsnNode call) calls.add(call.owner + "." + call.name + call.desc);
      }
    }
    return calls;
  }

  private static Class<?> load(String name, byte[] bytes) throws ClassNotFoundException {
    return new ClassLoader(ClassRepairTest.class.getClassLoader()) {
      @Override
      protected Class<?> findClass(String wanted) {
        return defineClass(wanted, bytes, 0, bytes.length);
      }
    }.loadClass(name);
  }
}
