package marmoset.hosted;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertSame;

import java.util.ArrayList;
import java.util.List;
import org.junit.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.util.Printer;

public class DirectCallsTest {
  private static final String WIDGET = "android/test/Widget";

  /** A shadow of the widget, with methods that the pass may call and some that it may not. */
  public static class ShadowWidget {
    public void draw(int times) {}

    public static void measure(int times) {}

    public Object size(Object unit) {
      return unit;
    }

    public void hide(long other) {}

    protected void lock(int times) {}
  }

  @Test
  public void aRealMethodIsCalledDirectly() throws Exception {
    byte[] bytes = rewrite(null, method("draw", "(I)V"));
    assertEquals(List.of("ALOAD", "ILOAD", "INVOKESPECIAL $$robo$$draw(I)V", "RETURN"), code(bytes));
  }

  @Test
  public void aMethodOfAShadowIsCalledOnTheObjectsShadow() throws Exception {
    byte[] bytes = rewrite("draw", method("draw", "(I)V"));
    assertEquals(
        List.of(
            "ALOAD", "INVOKEVIRTUAL $$robo$getData()Ljava/lang/Object;", "CHECKCAST ShadowWidget", "ILOAD",
            "INVOKEVIRTUAL draw(I)V", "RETURN"),
        code(bytes));
  }

  @Test
  public void aStaticMethodOfAShadowNeedsNoObject() throws Exception {
    byte[] bytes = rewrite("measure", method("measure", "(I)V"));
    assertEquals(List.of("ILOAD", "INVOKESTATIC measure(I)V", "RETURN"), code(bytes));
  }

  @Test
  public void aShadowMayKnowObjectsAsObjectOnly() throws Exception {
    byte[] bytes = rewrite("size", method("size", "(Ljava/lang/String;)Ljava/lang/String;"));
    assertEquals(
        List.of(
            "ALOAD", "INVOKEVIRTUAL $$robo$getData()Ljava/lang/Object;", "CHECKCAST ShadowWidget", "ALOAD",
            "INVOKEVIRTUAL size(Ljava/lang/Object;)Ljava/lang/Object;", "CHECKCAST String", "ARETURN"),
        code(bytes));
  }

  @Test
  public void aCallStaysWhereTheShadowsMethodHasAnotherSignatureOrIsOutOfReach() throws Exception {
    for (String name : List.of("hide", "lock")) {
      byte[] widget = widget(method(name, "(I)V"));
      assertSame(name, widget, new DirectCalls(picks(name)).rewriteClass(widget));
    }
  }

  @Test
  public void aCallStaysInAMethodThatDoesMoreThanCall() throws Exception {
    ClassNode node = new ClassNode();
    new ClassReader(widget(method("draw", "(I)V"))).accept(node, 0);
    node.methods.get(0).instructions.insert(new MethodInsnNode(Opcodes.INVOKESTATIC, "test/Gate", "begin", "()V", false));
    ClassWriter writer = new ClassWriter(0);
    node.accept(writer);
    byte[] widget = writer.toByteArray();
    assertSame(widget, new DirectCalls(picks("draw")).rewriteClass(widget));
  }

  @Test
  public void aCallStaysWhereOnlyADeviceKnows() throws Exception {
    byte[] widget = widget(method("draw", "(I)V"));
    assertSame(widget, new DirectCalls(new FixedPicks(DirectCalls.Pick.UNKNOWN)).rewriteClass(widget));
    assertSame(widget, new DirectCalls(null).rewriteClass(widget));
  }

  @Test
  public void anObjectOfAClassWithoutShadowGetsWhatIsNone() throws Exception {
    byte[] bytes = rewrite(null, new Method("initializing", "()Ljava/lang/Object;", "bootstrapInit"));
    assertEquals(List.of("ALOAD", "POP", "GETSTATIC java/lang/Boolean.FALSE", "ARETURN"), code(bytes));
  }

  private record Method(String name, String descriptor, String bootstrap) {}

  private static Method method(String name, String descriptor) {
    return new Method(name, descriptor, "bootstrap");
  }

  private record FixedPicks(DirectCalls.Pick pick) implements DirectCalls.Picks {
    @Override
    public DirectCalls.Pick pick(String owner, String name, String descriptor, boolean isNative) {
      return pick;
    }

    @Override
    public boolean hasShadow(String owner) {
      return false;
    }
  }

  /** That method of the shadow answers; null: the real one. */
  private static DirectCalls.Picks picks(String shadowMethod) {
    for (java.lang.reflect.Method method : ShadowWidget.class.getDeclaredMethods()) {
      if (method.getName().equals(shadowMethod)) return new FixedPicks(DirectCalls.Pick.shadow(method));
    }
    return new FixedPicks(DirectCalls.Pick.REAL);
  }

  private static byte[] rewrite(String shadowMethod, Method method) throws Exception {
    return new DirectCalls(picks(shadowMethod)).rewriteClass(widget(method));
  }

  /** A class as Robolectric instruments it: the method enters its real body through an invokedynamic. */
  private static byte[] widget(Method method) {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(Opcodes.V1_8, Opcodes.ACC_PUBLIC, WIDGET, null, "java/lang/Object", null);
    Handle bootstrap =
        new Handle(
            Opcodes.H_INVOKESTATIC, "org/robolectric/internal/bytecode/InvokeDynamicSupport", method.bootstrap,
            "()Ljava/lang/invoke/CallSite;", false);
    Handle real = new Handle(Opcodes.H_INVOKESPECIAL, WIDGET, "$$robo$$" + method.name, method.descriptor, false);
    MethodVisitor code = writer.visitMethod(Opcodes.ACC_PUBLIC, method.name, method.descriptor, null, null);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    Type[] arguments = Type.getArgumentTypes(method.descriptor);
    for (int i = 0; i < arguments.length; i++) code.visitVarInsn(arguments[i].getOpcode(Opcodes.ILOAD), 1 + i);
    code.visitInvokeDynamicInsn(
        method.name, "(L" + WIDGET + ";" + method.descriptor.substring(1), bootstrap, real, 0);
    code.visitInsn(Type.getReturnType(method.descriptor).getOpcode(Opcodes.IRETURN));
    code.visitMaxs(3, 3);
    return writer.toByteArray();
  }

  /** The instructions, with the last part of what they name. */
  private static List<String> code(byte[] bytes) {
    ClassNode node = new ClassNode();
    new ClassReader(bytes).accept(node, 0);
    List<String> code = new ArrayList<>();
    for (AbstractInsnNode insn : node.methods.get(0).instructions) {
      String name = Printer.OPCODES[insn.getOpcode()];
      if (insn instanceof MethodInsnNode call) name += " " + call.name + call.desc;
      if (insn instanceof TypeInsnNode cast) name += " " + cast.desc.replaceAll(".*[/$]", "");
      if (insn instanceof FieldInsnNode field) name += " " + field.owner + "." + field.name;
      code.add(name);
    }
    return code;
  }
}
