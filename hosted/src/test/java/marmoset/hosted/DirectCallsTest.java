package marmoset.hosted;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertSame;

import java.io.File;
import java.io.FileOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

public class DirectCallsTest {
  private static final String WIDGET = "android/test/Widget";

  @Rule public TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void aMethodThatNoShadowHasIsCalledDirectly() throws Exception {
    byte[] bytes = new DirectCalls(shadows(true)).rewriteClass(widget("draw", "measure"));
    assertEquals(List.of("dynamic draw", "direct $$robo$$measure"), calls(bytes));
  }

  @Test
  public void nothingIsDirectWhereAShadowTakesAll() throws Exception {
    byte[] widget = widget("draw", "measure");
    assertSame(widget, new DirectCalls(shadows(false)).rewriteClass(widget));
  }

  @Test
  public void aClassWithoutShadowIsDirectThroughout() throws Exception {
    byte[] bytes = new DirectCalls(new ShadowedNames(List.of())).rewriteClass(widget("draw"));
    assertEquals(List.of("direct $$robo$$draw"), calls(bytes));
  }

  /** A jar with one shadow of the widget that has the method draw. */
  private ShadowedNames shadows(boolean callThrough) throws Exception {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(Opcodes.V1_8, Opcodes.ACC_PUBLIC, "test/ShadowWidget", null, "java/lang/Object", null);
    AnnotationVisitor implementsWidget = writer.visitAnnotation("Lorg/robolectric/annotation/Implements;", true);
    implementsWidget.visit("value", Type.getObjectType(WIDGET));
    if (!callThrough) implementsWidget.visit("callThroughByDefault", false);
    implementsWidget.visitEnd();
    writer.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_ABSTRACT, "draw", "()V", null, null).visitEnd();
    File jar = folder.newFile();
    try (ZipOutputStream zip = new ZipOutputStream(new FileOutputStream(jar))) {
      zip.putNextEntry(new ZipEntry("test/ShadowWidget.class"));
      zip.write(writer.toByteArray());
    }
    return new ShadowedNames(List.of(jar));
  }

  /** A class as Robolectric instruments it: each method enters its real body through an invokedynamic. */
  private static byte[] widget(String... methods) {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(Opcodes.V1_8, Opcodes.ACC_PUBLIC, WIDGET, null, "java/lang/Object", null);
    Handle bootstrap =
        new Handle(
            Opcodes.H_INVOKESTATIC, "org/robolectric/internal/bytecode/InvokeDynamicSupport", "bootstrap",
            "()Ljava/lang/invoke/CallSite;", false);
    for (String name : methods) {
      Handle real = new Handle(Opcodes.H_INVOKESPECIAL, WIDGET, "$$robo$$" + name, "()V", false);
      MethodVisitor code = writer.visitMethod(Opcodes.ACC_PUBLIC, name, "()V", null, null);
      code.visitVarInsn(Opcodes.ALOAD, 0);
      code.visitInvokeDynamicInsn(name, "(L" + WIDGET + ";)V", bootstrap, real, 0);
      code.visitInsn(Opcodes.RETURN);
      code.visitMaxs(1, 1);
    }
    return writer.toByteArray();
  }

  private static List<String> calls(byte[] bytes) {
    ClassNode node = new ClassNode();
    new ClassReader(bytes).accept(node, 0);
    List<String> calls = new ArrayList<>();
    for (MethodNode method : node.methods) {
      for (AbstractInsnNode insn : method.instructions) {
        if (insn instanceof InvokeDynamicInsnNode call) calls.add("dynamic " + call.name);
        if (insn instanceof MethodInsnNode call) calls.add("direct " + call.name);
      }
    }
    return calls;
  }
}
