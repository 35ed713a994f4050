package marmoset.hosted;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AnnotationNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Which methods of which framework classes some shadow may take over, for any SDK level and any mode: every shadow class
 * in the given jars counts, by method name alone. One thread.
 */
final class ShadowedNames {
  private final Map<String, Set<String>> shadowsOf = new HashMap<>();
  private final Map<String, ClassNode> read = new HashMap<>();

  /** Reads all shadow classes in the jars. */
  ShadowedNames(List<File> jars) throws IOException {
    for (File jar : jars) {
      try (ZipFile zip = new ZipFile(jar)) {
        for (Enumeration<? extends ZipEntry> entries = zip.entries(); entries.hasMoreElements(); ) {
          ZipEntry entry = entries.nextElement();
          if (!entry.getName().endsWith(".class") || entry.getName().startsWith("META-INF/")) continue;
          try (InputStream in = zip.getInputStream(entry)) {
            add(parse(in));
          }
        }
      }
    }
  }

  /**
   * The names of the methods that a shadow of this class may take; null where a shadow takes all of them (it does not
   * call through by default, or its ancestry cannot be read).
   */
  Set<String> of(String frameworkClass) throws IOException {
    Set<String> names = new HashSet<>();
    for (String shadow : shadowsOf.getOrDefault(frameworkClass, Set.of())) {
      for (String name = shadow; name != null && !name.equals("java/lang/Object"); ) {
        ClassNode node = find(name);
        if (node == null || takesAll(node)) return null;
        for (MethodNode method : node.methods) {
          names.add(method.name);
          String renamed = (String) value(method.visibleAnnotations, "/Implementation;", "methodName");
          if (renamed != null) names.add(renamed);
        }
        name = node.superName;
      }
    }
    return names;
  }

  int shadowedClasses() {
    return shadowsOf.size();
  }

  private void add(ClassNode node) {
    Type byType = (Type) value(node.visibleAnnotations, "/Implements;", "value");
    String byName = (String) value(node.visibleAnnotations, "/Implements;", "className");
    String target = byName != null && !byName.isEmpty() ? byName.replace('.', '/') : null;
    if (target == null && byType != null) target = byType.getInternalName();
    read.put(node.name, node);
    if (target != null) shadowsOf.computeIfAbsent(target, key -> new HashSet<>()).add(node.name);
  }

  private static boolean takesAll(ClassNode node) {
    return Boolean.FALSE.equals(value(node.visibleAnnotations, "/Implements;", "callThroughByDefault"));
  }

  private static Object value(List<AnnotationNode> annotations, String type, String key) {
    if (annotations == null) return null;
    for (AnnotationNode annotation : annotations) {
      if (!annotation.desc.endsWith(type) || annotation.values == null) continue;
      for (int i = 0; i + 1 < annotation.values.size(); i += 2) {
        if (annotation.values.get(i).equals(key)) return annotation.values.get(i + 1);
      }
    }
    return null;
  }

  private ClassNode find(String name) throws IOException {
    if (!read.containsKey(name)) {
      try (InputStream in = ClassLoader.getSystemResourceAsStream(name + ".class")) {
        read.put(name, in == null ? null : parse(in));
      }
    }
    return read.get(name);
  }

  private static ClassNode parse(InputStream in) throws IOException {
    ClassNode node = new ClassNode();
    new ClassReader(in.readAllBytes()).accept(node, ClassReader.SKIP_CODE);
    return node;
  }
}
