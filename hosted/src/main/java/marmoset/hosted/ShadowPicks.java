package marmoset.hosted;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.objectweb.asm.ClassReader;
import org.robolectric.annotation.Implements;
import org.robolectric.internal.AndroidSandbox;
import org.robolectric.internal.ShadowProvider;
import org.robolectric.internal.bytecode.Interceptors;
import org.robolectric.internal.bytecode.ShadowMap;
import org.robolectric.internal.bytecode.ShadowWrangler;
import org.robolectric.sandbox.ShadowMatcher;
import org.robolectric.util.inject.Injector;

/**
 * Which method answers a call of a framework's method on the hosted device of one SDK level. Robolectric itself says so, with
 * our shadows and our modes; a device would ask it at the first use of each call site. One thread.
 */
final class ShadowPicks implements DirectCalls.Picks {
  /** Opens what Robolectric keeps to itself. */
  private static final class Wrangler extends ShadowWrangler {
    Wrangler(ShadowMap shadows, ShadowMatcher matcher, Interceptors interceptors) {
      super(shadows, matcher, interceptors);
    }

    Method pick(Class<?> owner, String name, Class<?>[] parameters) {
      return pickShadowMethod(owner, name, parameters);
    }
  }

  private final Set<String> shadowed;
  private final ClassLoader framework;
  private final ZipFile jar;
  private final Map<String, String> parents = new HashMap<>();
  private Wrangler wrangler;

  /**
   * {@code jar} is the framework of that level as it was shipped. REQUIRES: the JVM's flags are the device's, with the jar's
   * folder as that of frameworks.
   */
  ShadowPicks(int sdkLevel, Path jar) throws IOException, ReflectiveOperationException {
    this.jar = new ZipFile(jar.toFile());
    shadowed = shadowedClasses(sdkLevel);
    AndroidSandbox sandbox =
        SandboxFactory.build(
            sdkLevel,
            (shadows, matcher, interceptors) -> wrangler = new Wrangler(shadows, matcher, interceptors));
    framework = sandbox.getRobolectricClassLoader();
    ((Runnable) sandbox.bootstrappedClass(marmoset.hosted.sandbox.Modes.class).getConstructor().newInstance()).run();
  }

  /** The framework's classes that have a shadow on some level, by the names that the source uses: A.B for A$B. */
  private static Set<String> shadowedClasses(int sdkLevel) {
    Set<String> names = new HashSet<>();
    Injector injector = new Injector.Builder().bind(Properties.class, System.getProperties()).build();
    for (ShadowProvider provider : injector.getInstance(ShadowProvider[].class)) {
      for (Map.Entry<String, String> shadow : provider.getShadows()) names.add(inSource(shadow.getKey()));
      for (String name : provider.getShadowPickerMap().keySet()) names.add(inSource(name));
    }
    for (Class<?> shadow : HostShadows.of(sdkLevel)) {
      Implements of = shadow.getAnnotation(Implements.class);
      names.add(inSource(of.className().isEmpty() ? of.value().getName() : of.className()));
    }
    return names;
  }

  private static String inSource(String className) {
    return className.replace('$', '.');
  }

  @Override
  public DirectCalls.Pick pick(String owner, String name, String descriptor, boolean isNative) {
    if (!isShadowed(owner)) return DirectCalls.Pick.REAL;
    // A shadow may say that native methods are bound to its library.
    DirectCalls.Pick without = isNative ? DirectCalls.Pick.UNKNOWN : DirectCalls.Pick.REAL;
    try {
      Class<?> type = Class.forName(owner.replace('/', '.'), false, framework);
      Class<?>[] parameters = MethodType.fromMethodDescriptorString(descriptor, framework).parameterArray();
      Method shadow = wrangler.pick(type, name, parameters);
      if (shadow == ShadowWrangler.CALL_REAL_CODE) return without;
      return shadow == ShadowWrangler.DO_NOTHING_METHOD ? DirectCalls.Pick.UNKNOWN : DirectCalls.Pick.shadow(shadow);
    } catch (ClassNotFoundException | LinkageError | TypeNotPresentException e) {
      return DirectCalls.Pick.UNKNOWN;
    }
  }

  @Override
  public boolean hasShadow(String owner) {
    for (String name = owner; name != null; name = parents.computeIfAbsent(name, this::parent)) {
      if (isShadowed(name)) return true;
    }
    return false;
  }

  private boolean isShadowed(String name) {
    return shadowed.contains(inSource(name.replace('/', '.')));
  }

  /** The class that it extends; null for one that is not the framework's. */
  private String parent(String name) {
    ZipEntry entry = jar.getEntry(name + ".class");
    if (entry == null) return null;
    try (InputStream in = jar.getInputStream(entry)) {
      return new ClassReader(in.readAllBytes()).getSuperName();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + name + " in " + jar.getName(), e);
    }
  }
}
