package marmoset.hosted;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.util.HashSet;
import java.util.Set;
import java.util.jar.JarFile;
import javax.inject.Named;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.robolectric.internal.AndroidSandbox;
import org.robolectric.internal.bytecode.ClassInstrumentor;
import org.robolectric.internal.bytecode.InstrumentationConfiguration;
import org.robolectric.internal.bytecode.ResourceProvider;
import org.robolectric.internal.bytecode.UrlResourceProvider;
import org.robolectric.pluginapi.Sdk;

/**
 * The sandbox's class loader: the framework, Robolectric's shadows and our classes in {@code marmoset.hosted.sandbox}.
 * The app's classes come from an {@link AppClassLoader} below it, which changes at every reset.
 *
 * <p>Robolectric finds it as a service, see META-INF/services.
 */
public final class HostClassLoader extends AndroidSandbox.SdkSandboxClassLoader {
  private static final String OURS = "marmoset.hosted.";
  private static final String SANDBOX = "marmoset.hosted.sandbox.";

  private static final String MESSAGE_QUEUE = "org.robolectric.shadows.ShadowPausedMessageQueue";
  private static final String LOCALE_DATA = "libcore.icu.LocaleData";
  private static final String APP_CLASSES = "marmoset/hosted/sandbox/AppClasses";
  private static final String FOR_NAME_TYPE = "(Ljava/lang/String;)Ljava/lang/Class;";

  private final Set<String> framework = new HashSet<>();
  private final ResourceProvider resources;
  private volatile AppClassLoader app;

  public HostClassLoader(
      InstrumentationConfiguration configuration, @Named("runtimeSdk") Sdk sdk, ClassInstrumentor instrumentor) {
    super(configuration, sdk, instrumentor);
    resources = new UrlResourceProvider(url(sdk));
    try (JarFile jar = new JarFile(sdk.getJarPath().toFile())) {
      jar.stream()
          .map(entry -> entry.getName())
          .filter(name -> name.endsWith(".class"))
          .forEach(name -> framework.add(name.substring(0, name.length() - 6).replace('/', '.')));
    } catch (IOException e) {
      throw new IllegalStateException("cannot read the framework: " + sdk.getJarPath(), e);
    }
  }

  private static URL url(Sdk sdk) {
    try {
      return sdk.getJarPath().toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** From now on Robolectric's look-ups of components by name find this loader's classes. */
  public void setApp(AppClassLoader newApp) {
    app = newApp;
  }

  boolean isFramework(String name) {
    return framework.contains(name);
  }

  /**
   * What a phone's boot class path would offer, the old HTTP client, and the runtime that converted code calls. The class
   * path holds one framework for Robolectric, whose shadows name classes of it that older levels do not have; no app
   * sees those.
   */
  boolean isVisibleToApp(String name) {
    return isFramework(name)
        || name.startsWith("java.")
        || name.startsWith("javax.")
        || name.startsWith("jdk.internal.reflect.")
        || name.startsWith("sun.misc.")
        || name.startsWith("org.w3c.")
        || name.startsWith("org.xml.")
        || name.startsWith("org.apache.http.")
        || name.startsWith("org.apache.commons.logging.")
        || name.equals(CallRewriter.RUNTIME.replace('/', '.'));
  }

  /** The framework's own data before those of the class path, which may be another level's. */
  @Override
  public URL getResource(String name) {
    URL own = resources.getResource(name);
    return own != null ? own : super.getResource(name);
  }

  @Override
  public Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (name.startsWith(OURS) && !name.startsWith(SANDBOX)) return getParent().loadClass(name);
    if (name.startsWith("javax.microedition.")) return loadFromFramework(name);
    try {
      return super.loadClass(name, resolve);
    } catch (ClassNotFoundException e) {
      // Robolectric looks components up in this loader. The JVM does not remember the answer for this loader, because
      // the request came from Java code, so the next app gets its own class.
      AppClassLoader current = app;
      Class<?> own = current == null ? null : current.loadOwn(name);
      if (own != null) return own;
      throw e;
    }
  }

  /** The Robolectric classes that look up a component of the app by name. */
  private static final Set<String> LOOK_UP_COMPONENTS =
      Set.of(
          "org.robolectric.android.internal.AndroidTestEnvironment",
          "org.robolectric.shadows.ClassNameResolver",
          "org.robolectric.shadows.ShadowContentResolver",
          "org.robolectric.shadows.ShadowIntent");

  @Override
  protected byte[] getByteCode(String name) throws ClassNotFoundException {
    byte[] bytes = super.getByteCode(name);
    if (name.equals(MESSAGE_QUEUE)) return gateWaits(bytes);
    if (name.equals(LOCALE_DATA)) return askJdkForWeeks(bytes);
    return LOOK_UP_COMPONENTS.contains(name) ? redirectForName(bytes) : bytes;
  }

  /** Where background loopers wait. */
  private static byte[] gateWaits(byte[] bytes) {
    ClassNode node = new ClassNode();
    new ClassReader(bytes).accept(node, 0);
    CallRewriter.rewriteWaits(node);
    ClassWriter writer = new ClassWriter(0);
    node.accept(writer);
    return writer.toByteArray();
  }

  /** Android's version of a class of the JDK has a second argument, which says what to do for an unknown locale. */
  private static byte[] askJdkForWeeks(byte[] bytes) {
    ClassNode node = new ClassNode();
    new ClassReader(bytes).accept(node, 0);
    for (MethodNode method : node.methods) {
      for (AbstractInsnNode insn : method.instructions.toArray()) {
        if (!(insn instanceof MethodInsnNode call) || !call.desc.equals("(Ljava/util/Locale;I)I")) continue;
        if (!call.owner.equals("sun/util/locale/provider/CalendarDataUtility")) continue;
        method.instructions.insertBefore(call, new InsnNode(Opcodes.POP));
        call.desc = "(Ljava/util/Locale;)I";
      }
    }
    ClassWriter writer = new ClassWriter(0);
    node.accept(writer);
    return writer.toByteArray();
  }

  /**
   * Class.forName makes the JVM remember the class it found for the caller's loader, for ever; the next process of the
   * app would get the classes of the last one. So these calls go to AppClasses instead.
   */
  private static byte[] redirectForName(byte[] bytes) {
    ClassWriter writer = new ClassWriter(0);
    new ClassReader(bytes)
        .accept(
            new ClassVisitor(Opcodes.ASM9, writer) {
              @Override
              public MethodVisitor visitMethod(int access, String name, String type, String generic, String[] thrown) {
                return new MethodVisitor(Opcodes.ASM9, super.visitMethod(access, name, type, generic, thrown)) {
                  @Override
                  public void visitMethodInsn(int opcode, String owner, String called, String calledType, boolean itf) {
                    boolean forName =
                        owner.equals("java/lang/Class") && called.equals("forName") && calledType.equals(FOR_NAME_TYPE);
                    super.visitMethodInsn(opcode, forName ? APP_CLASSES : owner, called, calledType, itf);
                  }
                };
              }
            },
            0);
    return writer.toByteArray();
  }

  /** OpenGL's interfaces are in javax., which Robolectric leaves to the JDK; the JDK does not have them. */
  private Class<?> loadFromFramework(String name) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : maybeInstrumentClass(name);
    }
  }
}
