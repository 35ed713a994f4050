package marmoset.hosted;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;

/**
 * Superclasses and interface flags of the app's classes, the framework's and the JDK's. The verifier's stack frames need
 * common superclasses, and calls need to know whether their owner is an interface. Any thread.
 */
final class ClassTree {
  private static final String OBJECT = "java/lang/Object";

  private record Node(String superName, boolean isInterface) {}

  private final Map<String, Node> nodes = new ConcurrentHashMap<>();

  /** Adds a class of the app; it wins over a class of the same name elsewhere. */
  void add(ClassReader reader) {
    nodes.put(reader.getClassName(), of(reader));
  }

  boolean isInterface(String name) {
    return get(name).isInterface;
  }

  /** The nearest class that both extend; Object where one of them is an interface or unknown. */
  String commonSuperclass(String a, String b) {
    if (a.equals(b)) return a;
    if (isInterface(a) || isInterface(b)) return OBJECT;
    Set<String> supersOfA = new HashSet<>();
    for (String c = a; c != null; c = superOf(c)) supersOfA.add(c);
    for (String c = b; c != null; c = superOf(c)) {
      if (supersOfA.contains(c)) return c;
    }
    return OBJECT;
  }

  /** Whether {@code name} is {@code ancestor} or extends it (interfaces are not looked at). */
  boolean isA(String name, String ancestor) {
    int steps = 0;
    for (String c = name; c != null && steps < 1000; c = superOf(c), steps++) {
      if (c.equals(ancestor)) return true;
    }
    return false;
  }

  private String superOf(String name) {
    return name.equals(OBJECT) ? null : get(name).superName;
  }

  private Node get(String name) {
    return nodes.computeIfAbsent(name, ClassTree::fromClassPath);
  }

  private static Node of(ClassReader reader) {
    return new Node(reader.getSuperName(), (reader.getAccess() & Opcodes.ACC_INTERFACE) != 0);
  }

  private static Node fromClassPath(String name) {
    try (InputStream in = ClassLoader.getSystemResourceAsStream(name + ".class")) {
      if (in != null) return of(new ClassReader(in.readAllBytes()));
    } catch (IOException e) {
      throw new IllegalStateException("cannot read the class path: " + name, e);
    }
    // A class that nobody has: the app would fail when it uses it, not before.
    return new Node(OBJECT, false);
  }
}
