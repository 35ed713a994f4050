package marmoset.hosted;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * {@code Libraries OUT-FOLDER JAR...}: the device's libraries as it loads them, uncompressed and without signatures and the native
 * parts for other systems. The shadows are opened to the framework, which calls them ({@link DirectCalls}). Of the rest four
 * classes are changed. Each view that is inflated asks for the same few hundred attributes again,
 * together a third of the time of an app: Robolectric's resource table remembers what it found ({@link EntryCache}), and
 * its reader of layouts the names of the present element's attributes ({@link AttributeNames}). The copy of a theme
 * does without 250 empty packages of 1 KB each. And a file that lies uncompressed in an archive can be closed, which the
 * framework does before Android 9.
 */
public final class Libraries {
  private static final String ASSETS = "org/robolectric/res/android/CppAssetManager2";
  private static final String COOKIE = "org/robolectric/res/android/ApkAssetsCookie";
  private static final String CONFIG = "org/robolectric/res/android/ResTable_config";
  private static final String FIND_TYPE = "(ISLorg/robolectric/res/android/Ref;)L" + COOKIE + ";";
  private static final String CACHE = "marmoset/hosted/EntryCache";
  private static final String CACHE_FIELD = "marmoset$entries";
  private static final String SEARCH = "marmoset$search";

  private static final String THEME = ASSETS + "$Theme";
  private static final String THEME_PACKAGE = THEME + "$ThemePackage";

  private static final String PARSER = "org/robolectric/res/android/ResXMLParser";
  private static final String NAMES = "marmoset/hosted/AttributeNames";
  private static final String NAMES_FIELD = "marmoset$names";
  private static final String READ_NAME = "marmoset$readName";

  private static final String STORED_FILE = "org/robolectric/res/android/Asset$_FileAsset";

  /** Signatures over jars: each class of them would be checked as it is loaded. */
  private static final Pattern SIGNATURE = Pattern.compile("META-INF/[^/]+\\.(SF|RSA|DSA|EC)");

  private static final Set<String> OTHER_SYSTEMS = Set.of("native/mac/", "native/windows/");

  private Libraries() {}

  public static void main(String[] args) throws IOException {
    if (args.length < 2) {
      System.err.println("usage: Libraries OUT-FOLDER JAR...");
      System.exit(2);
    }
    for (int i = 1; i < args.length; i++) {
      Path jar = Path.of(args[i]);
      StoredJar.copy(jar, Path.of(args[0]).resolve(jar.getFileName()), Libraries::change);
    }
  }

  static byte[] change(String name, byte[] bytes) {
    if (OTHER_SYSTEMS.stream().anyMatch(name::startsWith) || SIGNATURE.matcher(name).matches()) return null;
    if (name.equals(ASSETS + ".class")) return rememberEntries(bytes);
    if (name.equals(THEME + ".class")) return leavePackagesOut(bytes);
    if (name.equals(STORED_FILE + ".class")) return allowClose(bytes);
    if (name.equals(PARSER + ".class")) return rememberNames(bytes);
    return name.endsWith(".class") && isShadow(name) ? openToFramework(bytes) : bytes;
  }

  /** Whether a class of that name, with slashes, is one of Robolectric's shadows or belongs to one. */
  static boolean isShadow(String name) {
    return name.startsWith("org/robolectric/shadows/");
  }

  /** Makes the class, and its protected methods, public, so that the framework's can call them ({@link DirectCalls}). */
  static byte[] openToFramework(byte[] bytes) {
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public void visit(int version, int access, String name, String generic, String parent, String[] interfaces) {
            super.visit(version, access | Opcodes.ACC_PUBLIC, name, generic, parent, interfaces);
          }

          @Override
          public MethodVisitor visitMethod(int access, String name, String type, String generic, String[] thrown) {
            boolean isProtected = (access & Opcodes.ACC_PROTECTED) != 0;
            int open = isProtected ? access & ~Opcodes.ACC_PROTECTED | Opcodes.ACC_PUBLIC : access;
            return super.visitMethod(open, name, type, generic, thrown);
          }
        },
        0);
    return writer.toByteArray();
  }

  /**
   * FindEntry becomes a look-up in the cache before the search, and a new list of configurations drops the cache. The
   * wrapper also mends the search with another density, which sets the density of the device and leaves it so.
   */
  static byte[] rememberEntries(byte[] bytes) {
    ClassNode node = new ClassNode();
    new ClassReader(bytes).accept(node, 0);
    MethodNode search = method(node, "FindEntry", FIND_TYPE);
    search.name = SEARCH;
    node.fields.add(new FieldNode(Opcodes.ACC_PRIVATE, CACHE_FIELD, "L" + CACHE + ";", null, null));
    node.methods.add(findEntry());
    InsnList forget = new InsnList();
    forget.add(new VarInsnNode(Opcodes.ALOAD, 0));
    forget.add(new InsnNode(Opcodes.ACONST_NULL));
    forget.add(new FieldInsnNode(Opcodes.PUTFIELD, ASSETS, CACHE_FIELD, "L" + CACHE + ";"));
    MethodNode rebuild = method(node, "RebuildFilterList", "()V");
    rebuild.instructions.insert(forget);
    rebuild.maxStack = Math.max(rebuild.maxStack, 2);
    ClassWriter writer = new ClassWriter(0);
    node.accept(writer);
    return writer.toByteArray();
  }

  /** What the other theme does not have becomes null in SetTo, as in Android, instead of a package without any types. */
  static byte[] leavePackagesOut(byte[] bytes) {
    ClassNode node = new ClassNode();
    new ClassReader(bytes).accept(node, 0);
    InsnList code = method(node, "SetTo", "(L" + THEME + ";)Z").instructions;
    for (AbstractInsnNode made : code) {
      if (made.getOpcode() != Opcodes.NEW || !((TypeInsnNode) made).desc.equals(THEME_PACKAGE)) continue;
      // The first of two; the other is for a package that is filled.
      while (made.getNext().getOpcode() != Opcodes.INVOKESPECIAL) code.remove(made.getNext());
      code.remove(made.getNext());
      code.set(made, new InsnNode(Opcodes.ACONST_NULL));
      ClassWriter writer = new ClassWriter(0);
      node.accept(writer);
      return writer.toByteArray();
    }
    throw new IllegalStateException(THEME + ".SetTo makes no package: another version of Robolectric?");
  }

  /** Its bytes are the archive's, which stays open. */
  static byte[] allowClose(byte[] bytes) {
    ClassNode node = new ClassNode();
    new ClassReader(bytes).accept(node, 0);
    InsnList code = method(node, "close", "()V").instructions;
    code.clear();
    code.add(new InsnNode(Opcodes.RETURN));
    ClassWriter writer = new ClassWriter(0);
    node.accept(writer);
    return writer.toByteArray();
  }

  private static MethodNode method(ClassNode node, String name, String type) {
    for (MethodNode method : node.methods) {
      if (method.name.equals(name) && method.desc.equals(type)) return method;
    }
    throw new IllegalStateException(node.name + " has no " + name + type + ": another version of Robolectric?");
  }

  private static MethodNode findEntry() {
    MethodNode method = new MethodNode(Opcodes.ACC_PRIVATE, "FindEntry", FIND_TYPE, null, null);
    MethodVisitor code = method;
    Label otherDensity = new Label();
    Label search = new Label();
    code.visitCode();
    code.visitVarInsn(Opcodes.ILOAD, 2);
    code.visitJumpInsn(Opcodes.IFNE, otherDensity);
    makeOnce(code, ASSETS, CACHE_FIELD, CACHE);
    // Object cookie = entries.get(id, out); if (cookie != null) return cookie;
    getCache(code);
    code.visitVarInsn(Opcodes.ILOAD, 1);
    code.visitVarInsn(Opcodes.ALOAD, 3);
    code.visitMethodInsn(
        Opcodes.INVOKEVIRTUAL, CACHE, "get", "(ILorg/robolectric/res/android/Ref;)Ljava/lang/Object;", false);
    code.visitInsn(Opcodes.DUP);
    code.visitJumpInsn(Opcodes.IFNULL, search);
    code.visitTypeInsn(Opcodes.CHECKCAST, COOKIE);
    code.visitInsn(Opcodes.ARETURN);
    // return entries.put(id, search(id, 0, out), out);
    code.visitLabel(search);
    code.visitFrame(Opcodes.F_SAME1, 0, null, 1, new Object[] {"java/lang/Object"});
    code.visitInsn(Opcodes.POP);
    getCache(code);
    code.visitVarInsn(Opcodes.ILOAD, 1);
    callSearch(code);
    code.visitVarInsn(Opcodes.ALOAD, 3);
    code.visitMethodInsn(
        Opcodes.INVOKEVIRTUAL, CACHE, "put",
        "(ILjava/lang/Object;Lorg/robolectric/res/android/Ref;)Ljava/lang/Object;", false);
    code.visitTypeInsn(Opcodes.CHECKCAST, COOKIE);
    code.visitInsn(Opcodes.ARETURN);
    // int density = configuration_.density; cookie = search(id, wanted, out); configuration_.density = density;
    code.visitLabel(otherDensity);
    code.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
    getConfiguration(code);
    code.visitFieldInsn(Opcodes.GETFIELD, CONFIG, "density", "I");
    code.visitVarInsn(Opcodes.ISTORE, 4);
    callSearch(code);
    getConfiguration(code);
    code.visitVarInsn(Opcodes.ILOAD, 4);
    code.visitFieldInsn(Opcodes.PUTFIELD, CONFIG, "density", "I");
    code.visitInsn(Opcodes.ARETURN);
    code.visitMaxs(6, 5);
    code.visitEnd();
    return method;
  }

  /** {@code if (this.field == null) this.field = new type();} Only the method's arguments may be in use where it stands. */
  private static void makeOnce(MethodVisitor code, String owner, String field, String type) {
    Label have = new Label();
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitFieldInsn(Opcodes.GETFIELD, owner, field, "L" + type + ";");
    code.visitJumpInsn(Opcodes.IFNONNULL, have);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitTypeInsn(Opcodes.NEW, type);
    code.visitInsn(Opcodes.DUP);
    code.visitMethodInsn(Opcodes.INVOKESPECIAL, type, "<init>", "()V", false);
    code.visitFieldInsn(Opcodes.PUTFIELD, owner, field, "L" + type + ";");
    code.visitLabel(have);
    code.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
  }

  private static void getCache(MethodVisitor code) {
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitFieldInsn(Opcodes.GETFIELD, ASSETS, CACHE_FIELD, "L" + CACHE + ";");
  }

  private static void getConfiguration(MethodVisitor code) {
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitFieldInsn(Opcodes.GETFIELD, ASSETS, "configuration_", "L" + CONFIG + ";");
  }

  private static void callSearch(MethodVisitor code) {
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitVarInsn(Opcodes.ILOAD, 1);
    code.visitVarInsn(Opcodes.ILOAD, 2);
    code.visitVarInsn(Opcodes.ALOAD, 3);
    code.visitMethodInsn(Opcodes.INVOKESPECIAL, ASSETS, SEARCH, FIND_TYPE, false);
  }

  /** getAttributeNameResID looks into the cache first. */
  static byte[] rememberNames(byte[] bytes) {
    ClassNode node = new ClassNode();
    new ClassReader(bytes).accept(node, 0);
    MethodNode read = method(node, "getAttributeNameResID", "(I)I");
    read.name = READ_NAME;
    node.fields.add(new FieldNode(Opcodes.ACC_PRIVATE, NAMES_FIELD, "L" + NAMES + ";", null, null));
    node.methods.add(getAttributeNameResId());
    ClassWriter writer = new ClassWriter(0);
    node.accept(writer);
    return writer.toByteArray();
  }

  private static MethodNode getAttributeNameResId() {
    MethodNode method = new MethodNode(Opcodes.ACC_PUBLIC, "getAttributeNameResID", "(I)I", null, null);
    MethodVisitor code = method;
    Label known = new Label();
    Label noAttribute = new Label();
    code.visitCode();
    code.visitVarInsn(Opcodes.ILOAD, 1);
    code.visitJumpInsn(Opcodes.IFLT, noAttribute);
    makeOnce(code, PARSER, NAMES_FIELD, NAMES);
    // if (!names.knows(element, index)) names.put(index, readName(index));
    getNames(code);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitFieldInsn(Opcodes.GETFIELD, PARSER, "mCurExt", "I");
    code.visitVarInsn(Opcodes.ILOAD, 1);
    code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, NAMES, "knows", "(II)Z", false);
    code.visitJumpInsn(Opcodes.IFNE, known);
    getNames(code);
    code.visitVarInsn(Opcodes.ILOAD, 1);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitVarInsn(Opcodes.ILOAD, 1);
    code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, PARSER, READ_NAME, "(I)I", false);
    code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, NAMES, "put", "(II)V", false);
    // return names.get(index);
    code.visitLabel(known);
    code.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
    getNames(code);
    code.visitVarInsn(Opcodes.ILOAD, 1);
    code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, NAMES, "get", "(I)I", false);
    code.visitInsn(Opcodes.IRETURN);
    code.visitLabel(noAttribute);
    code.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitVarInsn(Opcodes.ILOAD, 1);
    code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, PARSER, READ_NAME, "(I)I", false);
    code.visitInsn(Opcodes.IRETURN);
    code.visitMaxs(4, 2);
    code.visitEnd();
    return method;
  }

  private static void getNames(MethodVisitor code) {
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitFieldInsn(Opcodes.GETFIELD, PARSER, NAMES_FIELD, "L" + NAMES + ";");
  }
}
