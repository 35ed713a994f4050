package marmoset.hosted;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * {@code DirectCalls [--keep-calls] IN.jar OUT.jar}: Robolectric's framework jar enters every method through an
 * invokedynamic, so that a shadow may take it over. Where no shadow has a method of that name ({@link ShadowedNames}),
 * this pass puts a plain call to the real method in its place. That is nine call sites of ten; a cold start and hot code
 * are both about twice as fast, and the behaviour is the same. The same pass gives the framework what of {@link
 * CallRewriter} concerns it, such as the device's time for its calendars, and its threads their places in the order
 * ({@link marmoset.hosted.gate.Gate}). {@code --keep-calls} does only that, so that one can check that direct calls
 * change nothing (tests/rewrites_change_nothing.sh).
 */
public final class DirectCalls {
  private static final String SUPPORT = "org/robolectric/internal/bytecode/InvokeDynamicSupport";

  /** Null: no call becomes direct. */
  private final ShadowedNames shadowed;
  private long direct;
  private long kept;

  DirectCalls(ShadowedNames shadowed) {
    this.shadowed = shadowed;
  }

  public static void main(String[] args) throws IOException {
    boolean keepCalls = args.length == 3 && args[0].equals("--keep-calls");
    if (args.length != 2 && !keepCalls) {
      System.err.println("usage: DirectCalls [--keep-calls] IN.jar OUT.jar");
      System.exit(2);
    }
    DirectCalls pass = new DirectCalls(keepCalls ? null : new ShadowedNames(shadowJars()));
    pass.rewriteJar(Path.of(args[args.length - 2]), Path.of(args[args.length - 1]));
    System.err.printf("direct calls: %d of %d call sites%n", pass.direct, pass.direct + pass.kept);
  }

  /** The jars on the class path that may hold shadows: Robolectric's and our own. */
  private static List<File> shadowJars() {
    List<File> jars = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      File file = new File(entry);
      String name = file.getName();
      if (name.matches("(marmoset-hosted|robolectric|shadow|nativeruntime-[0-9]).*\\.jar")) jars.add(file);
    }
    return jars;
  }

  private void rewriteJar(Path in, Path out) throws IOException {
    StoredJar.copy(in, out, (name, bytes) -> name.endsWith(".class") ? rewriteClass(bytes) : bytes);
  }

  /** The class with direct calls; the same array where nothing changed. */
  byte[] rewriteClass(byte[] bytes) throws IOException {
    ClassNode node = new ClassNode();
    new ClassReader(bytes).accept(node, 0);
    Set<String> taken = shadowed == null ? null : shadowed.of(node.name);
    boolean changed = CallRewriter.rewriteLibraryCalls(node);
    changed |= CallRewriter.rewriteThreads(node);
    for (MethodNode method : node.methods) {
      for (AbstractInsnNode insn : method.instructions.toArray()) {
        if (!(insn instanceof InvokeDynamicInsnNode call) || !isEntry(call)) continue;
        boolean mayBeTaken = taken == null || taken.contains(call.name);
        MethodInsnNode plain = shadowed == null || mayBeTaken ? null : plainCall(node.name, call);
        if (plain == null) {
          kept++;
          continue;
        }
        method.instructions.set(call, plain);
        direct++;
        changed = true;
      }
    }
    if (!changed) return bytes;
    ClassWriter writer = new ClassWriter(0);
    node.accept(writer);
    return writer.toByteArray();
  }

  private static boolean isEntry(InvokeDynamicInsnNode call) {
    String name = call.bsm.getName();
    return call.bsm.getOwner().equals(SUPPORT) && (name.equals("bootstrap") || name.equals("bootstrapStatic"));
  }

  /** The plain call, or null where there is none: a native method, another class's method, a constructor. */
  private static MethodInsnNode plainCall(String owner, InvokeDynamicInsnNode call) {
    Handle target = (Handle) call.bsmArgs[0];
    boolean isNative = (Integer) call.bsmArgs[1] != 0;
    if (isNative || !target.getOwner().equals(owner)) return null;
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
}
