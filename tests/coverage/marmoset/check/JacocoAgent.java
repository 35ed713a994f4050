package marmoset.check;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.ProtectionDomain;
import marmoset.hosted.AppClassLoader;
import org.jacoco.core.data.ExecutionDataWriter;
import org.jacoco.core.instr.Instrumenter;
import org.jacoco.core.runtime.LoggerRuntime;
import org.jacoco.core.runtime.RuntimeData;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * A Java agent for the hosted device's JVM: JaCoCo instruments the app's classes as they are loaded, and what it saw is
 * written to the file that the agent's argument names, just before the device ends.
 */
public final class JacocoAgent {
  private static final RuntimeData DATA = new RuntimeData();
  private static Path file;

  private JacocoAgent() {}

  public static void premain(String argument, Instrumentation jvm) throws Exception {
    file = Path.of(argument);
    LoggerRuntime runtime = new LoggerRuntime();
    runtime.startup(DATA);
    Instrumenter instrumenter = new Instrumenter(runtime);
    jvm.addTransformer(
        new ClassFileTransformer() {
          @Override
          public byte[] transform(
              ClassLoader loader, String name, Class<?> old, ProtectionDomain domain, byte[] bytes) {
            try {
              if (loader instanceof AppClassLoader) return instrumenter.instrument(bytes, name);
              return "marmoset/hosted/Main".equals(name) ? dumpBeforeHalt(bytes) : null;
            } catch (IOException | RuntimeException e) {
              // The JVM would go on without a word, and the comparison would be of nothing.
              e.printStackTrace();
              Runtime.getRuntime().halt(1);
              return null;
            }
          }
        });
  }

  /** The device halts, so that no shutdown hook would run. */
  private static byte[] dumpBeforeHalt(byte[] bytes) {
    ClassWriter writer = new ClassWriter(0);
    new ClassReader(bytes)
        .accept(
            new ClassVisitor(Opcodes.ASM9, writer) {
              @Override
              public MethodVisitor visitMethod(int access, String name, String type, String generic, String[] thrown) {
                return new MethodVisitor(Opcodes.ASM9, super.visitMethod(access, name, type, generic, thrown)) {
                  @Override
                  public void visitMethodInsn(int opcode, String owner, String called, String calledType, boolean itf) {
                    if (called.equals("halt")) {
                      super.visitMethodInsn(Opcodes.INVOKESTATIC, "marmoset/check/JacocoAgent", "dump", "()V", false);
                    }
                    super.visitMethodInsn(opcode, owner, called, calledType, itf);
                  }
                };
              }
            },
            0);
    return writer.toByteArray();
  }

  public static void dump() {
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try {
      try (OutputStream out = Files.newOutputStream(part)) {
        ExecutionDataWriter writer = new ExecutionDataWriter(out);
        DATA.collect(writer, writer, false);
      }
      Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      e.printStackTrace();
    }
  }
}
