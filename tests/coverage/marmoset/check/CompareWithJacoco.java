package marmoset.check;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.analysis.IClassCoverage;
import org.jacoco.core.analysis.IMethodCoverage;
import org.jacoco.core.data.ExecutionData;
import org.jacoco.core.data.ExecutionDataStore;
import org.jacoco.core.internal.data.CRC64;
import org.jacoco.core.tools.ExecFileLoader;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * {@code CompareWithJacoco JACOCO.EXEC CLASSES.JAR RUN}: compares the methods that the probes saw in a run with those that
 * JaCoCo saw in the same run, in the same converted classes. Each difference gets the reason that can be read off the class
 * files and the crashes; exit code 1 where one has none.
 */
public final class CompareWithJacoco {
  private static final String PROBE = "marmoset.Probe";
  private static final int MADE = Opcodes.ACC_SYNTHETIC | Opcodes.ACC_BRIDGE;

  private final Map<String, Integer> access = new HashMap<>();
  private final Set<String> probed = new HashSet<>();
  private final Set<String> ours = new TreeSet<>();
  private final Set<String> listed = new HashSet<>();
  private final Set<String> known = new HashSet<>();
  private final Set<String> theirs = new TreeSet<>();
  private final Map<String, List<String>> differences = new TreeMap<>();
  private final StringBuilder crashes = new StringBuilder();
  private boolean unexplained;

  public static void main(String[] args) throws IOException {
    CompareWithJacoco comparison = new CompareWithJacoco();
    comparison.readClasses(Path.of(args[1]));
    comparison.readOurs(Path.of(args[2], "coverage", "methods.tsv"));
    comparison.readCrashes(Path.of(args[2], "crashes"));
    comparison.readTheirs(Path.of(args[0]), Path.of(args[1]));
    comparison.compare();
    System.exit(comparison.unexplained ? 1 : 0);
  }

  /** The methods of the classes that the device may load, with their access flags; those that call a probe. */
  private void readClasses(Path jar) throws IOException {
    for (byte[] bytes : classes(jar).values()) {
      ClassReader reader = new ClassReader(bytes);
      String type = reader.getClassName().replace('/', '.');
      reader.accept(
          new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(int flags, String name, String descriptor, String generic, String[] thrown) {
              String method = type + "." + name + descriptor;
              access.put(method, flags);
              return new MethodVisitor(Opcodes.ASM9) {
                @Override
                public void visitMethodInsn(int opcode, String owner, String called, String calledType, boolean itf) {
                  if (owner.equals("marmoset/Probe")) probed.add(method);
                }
              };
            }
          },
          ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    }
  }

  private static Map<String, byte[]> classes(Path jar) throws IOException {
    Map<String, byte[]> found = new TreeMap<>();
    try (InputStream file = Files.newInputStream(jar);
        ZipInputStream zip = new ZipInputStream(file)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        if (entry.getName().endsWith(".class")) found.put(entry.getName(), zip.readAllBytes());
      }
    }
    return found;
  }

  private void readOurs(Path table) throws IOException {
    for (String line : Files.readAllLines(table).stream().skip(1).toList()) {
      String[] cells = line.split("\t", -1);
      String method = cells[3] + "." + cells[4] + cells[5];
      listed.add(method);
      if (!cells[0].isEmpty()) ours.add(method);
    }
  }

  private void readCrashes(Path folder) throws IOException {
    try (DirectoryStream<Path> stacks = Files.newDirectoryStream(folder, "*.stack.txt")) {
      for (Path stack : stacks) crashes.append(Files.readString(stack));
    }
  }

  private void readTheirs(Path exec, Path jar) throws IOException {
    ExecFileLoader loader = new ExecFileLoader();
    loader.load(exec.toFile());
    CoverageBuilder builder = new CoverageBuilder();
    ExecutionDataStore store = loader.getExecutionDataStore();
    Analyzer analyzer = new Analyzer(store, builder);
    for (Map.Entry<String, byte[]> entry : classes(jar).entrySet()) {
      byte[] plain = plain(entry.getValue());
      ExecutionData seen = store.get(CRC64.classId(entry.getValue()));
      if (seen != null) store.put(new ExecutionData(CRC64.classId(plain), seen.getName(), seen.getProbes()));
      analyzer.analyzeClass(new ByteArrayInputStream(plain), entry.getKey());
    }
    for (IClassCoverage type : builder.getClasses()) {
      String name = type.getName().replace('/', '.');
      if (name.equals(PROBE)) continue;
      for (IMethodCoverage method : type.getMethods()) {
        String full = name + "." + method.getName() + method.getDesc();
        known.add(full);
        if (method.getMethodCounter().getCoveredCount() > 0) theirs.add(full);
      }
    }
  }

  /**
   * JaCoCo's report leaves out what a compiler made, by the flag "synthetic" and by annotations, though it has seen it. So
   * it is given the class without these; its code, by which JaCoCo numbers its own probes, is the same.
   */
  private static byte[] plain(byte[] bytes) {
    ClassWriter writer = new ClassWriter(0);
    new ClassReader(bytes)
        .accept(
            new ClassVisitor(Opcodes.ASM9, writer) {
              @Override
              public void visit(int version, int flags, String name, String generic, String parent, String[] interfaces) {
                super.visit(version, flags & ~MADE, name, generic, parent, interfaces);
              }

              @Override
              public AnnotationVisitor visitAnnotation(String type, boolean visible) {
                return null;
              }

              @Override
              public MethodVisitor visitMethod(int flags, String name, String type, String generic, String[] thrown) {
                return new MethodVisitor(Opcodes.ASM9, super.visitMethod(flags & ~MADE, name, type, generic, thrown)) {
                  @Override
                  public AnnotationVisitor visitAnnotation(String annotation, boolean visible) {
                    return null;
                  }
                };
              }
            },
            0);
    return writer.toByteArray();
  }

  private void compare() {
    int both = 0;
    for (String method : ours) {
      if (theirs.contains(method)) both++;
      else if (!known.contains(method)) add("probes only: JaCoCo leaves it out, " + kind(method), method);
      // JaCoCo's own probes lie where a method is left, or where one of its lines is.
      else if (isInACrash(method)) add("probes only: a crash left it before JaCoCo's first probe", method);
      else fail("probes only, though JaCoCo knows it", method);
    }
    for (String method : theirs) {
      if (ours.contains(method)) continue;
      if (probed.contains(method)) fail("JaCoCo only, though it has a probe", method);
      else if (listed.contains(method)) fail("JaCoCo only: its probe was lost", method);
      else add("JaCoCo only: it had no code in the APK", method);
    }
    System.out.printf(
        "methods listed %d, in JaCoCo's report %d; entered by the probes %d, by JaCoCo %d, by both %d%n",
        listed.size(), known.size(), ours.size(), theirs.size(), both);
    differences.forEach(
        (reason, methods) -> {
          System.out.printf("%5d %s%n", methods.size(), reason);
          methods.stream().limit(40).forEach(method -> System.out.println("        " + method));
        });
  }

  private boolean isInACrash(String method) {
    return crashes.indexOf("\tat " + method.substring(0, method.indexOf('(')) + "(") >= 0;
  }

  private String kind(String method) {
    Integer flags = access.get(method);
    if (flags == null) return "it is not in the converted classes";
    if (method.matches(".*\\.(values\\(\\).*|valueOf\\(Ljava/lang/String;\\).*)")) return "of an enum, made by the compiler";
    return "by another of its filters";
  }

  private void add(String reason, String method) {
    differences.computeIfAbsent(reason, key -> new ArrayList<>()).add(method);
  }

  private void fail(String reason, String method) {
    unexplained = true;
    add(reason, method);
  }
}
