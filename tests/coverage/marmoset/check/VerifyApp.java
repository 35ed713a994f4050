package marmoset.check;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * {@code java -Xverify:all … VerifyApp FRAMEWORK.JAR CLASSES.JAR}: has the JVM verify every class of a converted app, and
 * counts the methods that call a probe. As on the device the framework wins over a class of the same name in the app. Exit
 * code 1 where a class does not verify.
 */
public final class VerifyApp extends ClassLoader {
  private final Map<String, byte[]> classes;

  private final Set<String> framework;

  private VerifyApp(Map<String, byte[]> classes, Set<String> framework) {
    super(VerifyApp.class.getClassLoader());
    this.classes = classes;
    this.framework = framework;
  }

  public static void main(String[] args) throws IOException {
    Set<String> framework = new HashSet<>(classes(Path.of(args[0])).keySet());
    Map<String, byte[]> classes = classes(Path.of(args[1]));
    VerifyApp loader = new VerifyApp(classes, framework);
    int shadowed = 0;
    int verified = 0;
    int rejected = 0;
    Map<String, Integer> incomplete = new TreeMap<>();
    for (String name : classes.keySet()) {
      if (framework.contains(name)) {
        shadowed++;
        continue;
      }
      try {
        // Asking for its members makes the JVM link a class, which begins with verifying it, and initialises nothing.
        Class.forName(name, false, loader).getDeclaredConstructors();
        verified++;
      } catch (NoClassDefFoundError e) {
        incomplete.merge(String.valueOf(e.getMessage()), 1, Integer::sum);
      } catch (ClassNotFoundException | LinkageError e) {
        rejected++;
        System.out.println("rejected: " + name + ": " + e);
      }
    }
    int[] methods = new int[2];
    for (byte[] bytes : classes.values()) count(bytes, methods);
    System.out.printf(
        "%d classes: %d verified, %d rejected, %d name a class that is nowhere, %d are the framework's; "
            + "%d methods with code, %d of them call a probe%n",
        classes.size(), verified, rejected, incomplete.values().stream().mapToInt(n -> n).sum(), shadowed,
        methods[0], methods[1]);
    incomplete.forEach((name, times) -> System.out.printf("%5d lack %s%n", times, name));
    System.exit(rejected > 0 ? 1 : 0);
  }

  private static Map<String, byte[]> classes(Path jar) throws IOException {
    Map<String, byte[]> found = new TreeMap<>();
    try (InputStream file = Files.newInputStream(jar);
        ZipInputStream zip = new ZipInputStream(file)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        String name = entry.getName();
        if (!name.endsWith(".class")) continue;
        found.put(name.substring(0, name.length() - 6).replace('/', '.'), zip.readAllBytes());
      }
    }
    return found;
  }

  private static void count(byte[] bytes, int[] methods) {
    new ClassReader(bytes)
        .accept(
            new ClassVisitor(Opcodes.ASM9) {
              @Override
              public MethodVisitor visitMethod(int access, String name, String type, String generic, String[] thrown) {
                return new MethodVisitor(Opcodes.ASM9) {
                  private boolean counted;

                  @Override
                  public void visitCode() {
                    methods[0]++;
                  }

                  @Override
                  public void visitMethodInsn(int opcode, String owner, String called, String calledType, boolean itf) {
                    if (counted || !owner.equals("marmoset/Probe")) return;
                    counted = true;
                    methods[1]++;
                  }
                };
              }
            },
            ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded != null) return loaded;
      byte[] bytes = classes.get(name);
      if (bytes == null || framework.contains(name)) return super.loadClass(name, resolve);
      return defineClass(name, bytes, 0, bytes.length);
    }
  }
}
