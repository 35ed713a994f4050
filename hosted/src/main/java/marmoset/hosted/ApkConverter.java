package marmoset.hosted;

import com.googlecode.d2j.Method;
import com.googlecode.d2j.dex.Dex2jar;
import com.googlecode.d2j.dex.DexExceptionHandler;
import com.googlecode.d2j.node.DexClassNode;
import com.googlecode.d2j.node.DexFileNode;
import com.googlecode.d2j.node.DexMethodNode;
import com.googlecode.d2j.reader.DexFileReader;
import com.googlecode.d2j.reader.MultiDexFileReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Converts an APK for the hosted device: dex to class files (dex2jar), their repair ({@link ClassRepair}), and the
 * repair of old resource tables. The output's bytes depend on the input's alone.
 *
 * <p>One instance per APK; one thread at a time.
 */
final class ApkConverter {
  /** No APK that the device can run has a larger entry; a zip bomb has. */
  private static final long MAX_ENTRY_BYTES = 1L << 30;

  private final Path apk;
  private final Path code;
  private final Path outDir;
  private final List<Map<String, Object>> failedMethods = Collections.synchronizedList(new ArrayList<>());
  private final List<String> repaired = new ArrayList<>();
  private int classes;
  private int methods;
  private int nativeMethods;

  /** {@code code} is the zip whose DEX files are converted: the APK itself, or its code with probes. */
  ApkConverter(Path apk, Path code, Path outDir) {
    this.apk = apk;
    this.code = code;
    this.outDir = outDir;
  }

  /** Writes classes.jar, app.apk where the APK needed a repair, and report.json. Returns the report. */
  Map<String, Object> convert() throws ApkError, IOException {
    long start = System.nanoTime();
    Files.createDirectories(outDir);
    TreeSet<String> libraries = new TreeSet<>();
    Map<String, byte[]> resources = new TreeMap<>();
    try (ZipFile zip = openZip()) {
      check(zip);
      collect(zip, libraries, resources);
      repairApk(zip);
    }
    writeJar(translate(), resources);

    Map<String, Object> report = new LinkedHashMap<>();
    report.put("classes", classes);
    report.put("methods", methods);
    failedMethods.sort((a, b) -> ((String) a.get("method")).compareTo((String) b.get("method")));
    report.put("failed_methods", failedMethods);
    report.put("natives", libraries);
    report.put("native_methods", nativeMethods);
    report.put("repaired", repaired);
    report.put("seconds", Math.round((System.nanoTime() - start) / 1e8) / 10.0);
    Files.writeString(outDir.resolve("report.json"), Json.write(report) + "\n");
    return report;
  }

  private ZipFile openZip() throws ApkError, IOException {
    if (!Files.isRegularFile(apk)) throw new ApkError("there is no such file", "give the path of an APK");
    byte[] magic = new byte[4];
    try (var in = Files.newInputStream(apk)) {
      if (in.readNBytes(magic, 0, 4) < 4 || magic[0] != 'P' || magic[1] != 'K') {
        throw new ApkError("not an APK (no zip file)", "give the path of an APK");
      }
    }
    try {
      return new ZipFile(apk.toFile());
    } catch (ZipException e) {
      throw new ApkError("cut short or damaged (" + e.getMessage() + ")", "build or download the APK again");
    }
  }

  private void check(ZipFile zip) throws ApkError {
    boolean hasDex = false;
    for (Enumeration<? extends ZipEntry> entries = zip.entries(); entries.hasMoreElements(); ) {
      ZipEntry entry = entries.nextElement();
      if (entry.getSize() > MAX_ENTRY_BYTES) {
        throw new ApkError("its entry " + entry.getName() + " is larger than 1 GiB", "give a real APK");
      }
      hasDex |= isDex(entry.getName());
    }
    if (zip.getEntry("AndroidManifest.xml") == null) {
      throw new ApkError("no APK (it has no AndroidManifest.xml)", "give the path of an APK");
    }
    if (!hasDex) {
      throw new ApkError("it has no code (no classes.dex)", "give the base APK, not a resource or language split");
    }
  }

  private static boolean isDex(String name) {
    return name.matches("classes([2-9]|[1-9][0-9]+)?\\.dex");
  }

  /** Java resources (service files, property files) go beside the classes, as the app's class loader must find them. */
  private void collect(ZipFile zip, TreeSet<String> libraries, Map<String, byte[]> resources)
      throws ApkError, IOException {
    for (Enumeration<? extends ZipEntry> entries = zip.entries(); entries.hasMoreElements(); ) {
      ZipEntry entry = entries.nextElement();
      String name = entry.getName();
      if (entry.isDirectory()) continue;
      if (name.startsWith("lib/") && name.endsWith(".so")) {
        libraries.add(name.substring(name.lastIndexOf('/') + 1));
      } else if (isJavaResource(name)) {
        resources.put(name, read(zip, entry));
      }
    }
  }

  private static boolean isJavaResource(String name) {
    if (isDex(name) || name.equals("AndroidManifest.xml") || name.equals("resources.arsc")) return false;
    if (name.startsWith("res/") || name.startsWith("assets/") || name.startsWith("lib/")) return false;
    if (name.endsWith(".class") || name.contains("..")) return false;
    return !name.matches("META-INF/[^/]*\\.(MF|SF|RSA|DSA|EC)");
  }

  private byte[] read(ZipFile zip, ZipEntry entry) throws ApkError, IOException {
    try (var in = zip.getInputStream(entry)) {
      return in.readAllBytes();
    } catch (ZipException e) {
      String message = String.valueOf(e.getMessage());
      if (message.contains("encrypted")) {
        throw new ApkError("its entry " + entry.getName() + " is encrypted", "give an APK without a password");
      }
      throw new ApkError(
          "its entry " + entry.getName() + " is damaged (" + message + ")", "build or download the APK again");
    }
  }

  /** Writes app.apk with every entry of the APK and the repaired table, where the table needs it. */
  private void repairApk(ZipFile zip) throws ApkError, IOException {
    Path out = outDir.resolve("app.apk");
    Files.deleteIfExists(out);
    ZipEntry table = zip.getEntry("resources.arsc");
    if (table == null) return;
    byte[] fixed = ResourceTableRepair.repair(read(zip, table));
    if (fixed == null) return;
    repaired.add("resources.arsc: package header of 284 bytes widened to 288");
    try (OutputStream file = Files.newOutputStream(out);
        ZipOutputStream copy = new ZipOutputStream(file)) {
      for (Enumeration<? extends ZipEntry> entries = zip.entries(); entries.hasMoreElements(); ) {
        ZipEntry entry = entries.nextElement();
        if (entry.isDirectory()) continue;
        boolean isTable = entry.getName().equals("resources.arsc");
        byte[] bytes = isTable ? fixed : read(zip, entry);
        // What is stored must stay stored: the framework maps the table and opens assets by file offset.
        put(copy, entry.getName(), bytes, entry.getMethod() == ZipEntry.STORED);
      }
    }
  }

  private static void put(ZipOutputStream zip, String name, byte[] bytes, boolean stored) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTime(315532800000L);
    if (stored) {
      CRC32 crc = new CRC32();
      crc.update(bytes);
      entry.setMethod(ZipEntry.STORED);
      entry.setSize(bytes.length);
      entry.setCompressedSize(bytes.length);
      entry.setCrc(crc.getValue());
    }
    zip.putNextEntry(entry);
    zip.write(bytes);
    zip.closeEntry();
  }

  /** Class name to class file, both repaired, in the order of the names. */
  private Map<String, byte[]> translate() throws ApkError, IOException {
    Map<String, byte[]> raw = translateDex();
    Map<String, String> sources = sourceFiles();
    ClassTree tree = new ClassTree();
    for (byte[] bytes : raw.values()) tree.add(new ClassReader(bytes));
    List<Map.Entry<String, byte[]>> entries = new ArrayList<>(raw.entrySet());
    List<byte[]> fixed =
        entries.parallelStream().map(entry -> repairClass(tree, entry.getKey(), entry.getValue(), sources)).collect(Collectors.toList());
    Map<String, byte[]> result = new TreeMap<>();
    for (int i = 0; i < entries.size(); i++) result.put(entries.get(i).getKey(), fixed.get(i));
    classes = result.size();
    return result;
  }

  /** dex2jar does not carry the names of the source files over. */
  private Map<String, String> sourceFiles() throws ApkError, IOException {
    DexFileNode node = new DexFileNode();
    int skip = DexFileReader.SKIP_CODE | DexFileReader.SKIP_ANNOTATION | DexFileReader.SKIP_FIELD_CONSTANT;
    MultiDexFileReader.open(Files.readAllBytes(code)).accept(node, skip);
    Map<String, String> sources = new HashMap<>();
    for (DexClassNode type : node.clzs) {
      String name = type.className.substring(1, type.className.length() - 1) + ".class";
      if (type.source != null && !type.source.isEmpty()) sources.putIfAbsent(name, type.source);
    }
    return sources;
  }

  private byte[] repairClass(ClassTree tree, String name, byte[] bytes, Map<String, String> sources) {
    ClassRepair repair = new ClassRepair(tree, sources.get(name));
    byte[] fixed = repair.repair(bytes);
    synchronized (this) {
      methods += repair.methods();
      nativeMethods += repair.natives();
    }
    for (ClassRepair.Failure failure : repair.failures()) addFailure(failure.method(), failure.why());
    return fixed;
  }

  private void addFailure(String method, String why) {
    Map<String, Object> failure = new LinkedHashMap<>();
    failure.put("method", method);
    failure.put("why", why);
    failedMethods.add(failure);
  }

  private Map<String, byte[]> translateDex() throws ApkError, IOException {
    Path raw = Files.createTempFile(outDir, "translated", ".jar");
    try {
      Files.delete(raw);
      Dex2jar dex2jar = reader();
      dex2jar.withExceptionHandler(
          new DexExceptionHandler() {
            @Override
            public void handleFileException(Exception e) {
              addFailure("(whole dex file)", String.valueOf(e));
            }

            @Override
            public void handleMethodTranslateException(
                Method method, DexMethodNode node, MethodVisitor visitor, Exception e) {
              addFailure(method.toString(), String.valueOf(e));
              // ClassRepair computes the frames; a null that is thrown satisfies the verifier for every return type.
              visitor.visitInsn(Opcodes.ACONST_NULL);
              visitor.visitInsn(Opcodes.ATHROW);
              visitor.visitMaxs(1, 0);
            }
          });
      dex2jar.to(raw);
      Map<String, byte[]> result = new TreeMap<>();
      try (ZipFile zip = new ZipFile(raw.toFile())) {
        for (Enumeration<? extends ZipEntry> entries = zip.entries(); entries.hasMoreElements(); ) {
          ZipEntry entry = entries.nextElement();
          if (entry.getName().endsWith(".class")) result.put(entry.getName(), read(zip, entry));
        }
      }
      return result;
    } finally {
      Files.deleteIfExists(raw);
    }
  }

  private Dex2jar reader() throws ApkError {
    try {
      byte[] bytes = Files.readAllBytes(code);
      // Line numbers are what a crash report is about, so debug information is kept.
      return Dex2jar.from(bytes).skipDebug(false).topoLogicalSort(true).dontSanitizeNames(true);
    } catch (IOException | RuntimeException e) {
      throw new ApkError("its code (classes.dex) cannot be read (" + e + ")", "build or download the APK again");
    }
  }

  private void writeJar(Map<String, byte[]> classFiles, Map<String, byte[]> resources) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      // Stored, not deflated: the device reads every class again at every reset.
      for (Map.Entry<String, byte[]> entry : classFiles.entrySet()) put(zip, entry.getKey(), entry.getValue(), true);
      for (Map.Entry<String, byte[]> entry : resources.entrySet()) put(zip, entry.getKey(), entry.getValue(), true);
    }
    Path temporary = outDir.resolve("classes.jar.tmp");
    Files.write(temporary, bytes.toByteArray());
    Files.move(
        temporary, outDir.resolve("classes.jar"), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
  }
}
