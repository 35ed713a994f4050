package marmoset.hosted;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.robolectric.res.android.Ref;

public class LibrariesTest {
  private static final String PACKAGE = "org.robolectric.res.android.";

  @Rule public TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void theJvmAcceptsTheChangedClasses() throws Exception {
    Class<?> assets = changed(PACKAGE + "CppAssetManager2");
    assets.getDeclaredConstructor().newInstance();
    Class<?> parser = changed(PACKAGE + "ResXMLParser");
    assertEquals(2, named(parser, "getAttributeNameResID") + named(parser, "marmoset$readName"));
  }

  @Test
  public void aCopiedThemeHasNoEmptyPackages() throws Exception {
    Class<?> assets = changed(PACKAGE + "CppAssetManager2");
    Class<?> type = Class.forName(PACKAGE + "CppAssetManager2$Theme", true, assets.getClassLoader());
    Object manager = assets.getDeclaredConstructor().newInstance();
    Object theme = type.getDeclaredConstructor(assets).newInstance(manager);
    Object other = type.getDeclaredConstructor(assets).newInstance(manager);
    assertEquals(true, type.getMethod("SetTo", type).invoke(theme, other));
    Field packages = type.getDeclaredField("packages_");
    packages.setAccessible(true);
    assertTrue(Arrays.stream((Object[]) packages.get(theme)).allMatch(Objects::isNull));
  }

  @Test
  public void theFrameworkMayCallTheProtectedMethodsOfShadows() throws Exception {
    String file = "org/robolectric/shadows/ShadowStatFs.class";
    byte[] bytes;
    try (InputStream stream = ClassLoader.getSystemResourceAsStream(file)) {
      bytes = stream.readAllBytes();
    }
    assertTrue(protectedMethods(bytes) > 0);
    assertEquals(0, protectedMethods(Libraries.change(file, bytes)));
  }

  private static long protectedMethods(byte[] bytes) {
    ClassNode node = new ClassNode();
    new ClassReader(bytes).accept(node, 0);
    return node.methods.stream().filter(method -> (method.access & Opcodes.ACC_PROTECTED) != 0).count();
  }

  private static long named(Class<?> type, String name) {
    long count = 0;
    for (Method method : type.getDeclaredMethods()) if (method.getName().equals(name)) count++;
    return count;
  }

  /** The class as the device loads it, linked. */
  private static Class<?> changed(String name) throws Exception {
    ClassLoader loader =
        new ClassLoader(LibrariesTest.class.getClassLoader()) {
          @Override
          protected Class<?> loadClass(String wanted, boolean resolve) throws ClassNotFoundException {
            if (!wanted.startsWith(PACKAGE) || wanted.equals(PACKAGE + "Ref")) return super.loadClass(wanted, resolve);
            Class<?> loaded = findLoadedClass(wanted);
            if (loaded != null) return loaded;
            String file = wanted.replace('.', '/') + ".class";
            try (InputStream stream = getParent().getResourceAsStream(file)) {
              byte[] bytes = Libraries.change(file, stream.readAllBytes());
              return defineClass(wanted, bytes, 0, bytes.length);
            } catch (IOException e) {
              throw new ClassNotFoundException(wanted, e);
            }
          }
        };
    return Class.forName(name, true, loader);
  }

  @Test
  public void whatWasFoundIsFoundAgain() {
    EntryCache cache = new EntryCache();
    Object entry = new Object();
    Ref<Object> out = new Ref<>(null);
    assertNull(cache.get(7, out));
    out.set(entry);
    assertEquals("cookie", cache.put(7, "cookie", out));
    Ref<Object> again = new Ref<>(null);
    assertEquals("cookie", cache.get(7, again));
    assertSame(entry, again.get());
  }

  @Test
  public void whatWasNotFoundLeavesTheEntryAlone() {
    EntryCache cache = new EntryCache();
    cache.put(7, "invalid", new Ref<>(null));
    Ref<Object> out = new Ref<>("before");
    assertEquals("invalid", cache.get(7, out));
    assertEquals("before", out.get());
  }

  @Test
  public void namesHoldForOneElement() {
    AttributeNames names = new AttributeNames();
    assertFalse(names.knows(100, 0));
    names.put(0, 1);
    names.put(40, 2);
    assertTrue(names.knows(100, 0));
    assertTrue(names.knows(100, 40));
    assertFalse(names.knows(100, 1));
    assertFalse(names.knows(100, 1000));
    assertEquals(1, names.get(0));
    assertEquals(2, names.get(40));
    assertFalse(names.knows(200, 0));
    assertFalse(names.knows(100, 0));
  }

  @Test
  public void signaturesAndPartsForOtherSystemsAreLeftOutAndTheRestIsStored() throws Exception {
    Path in = folder.newFile("in.jar").toPath();
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(in))) {
      for (String name : new String[] {"META-INF/A.RSA", "a.txt", "native/mac/lib", "native/linux/x86_64/lib"}) {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(new byte[1000]);
      }
    }
    Path out = folder.getRoot().toPath().resolve("out.jar");
    StoredJar.copy(in, out, Libraries::change);
    try (ZipFile zip = new ZipFile(out.toFile())) {
      assertEquals(2, zip.size());
      ZipEntry entry = zip.getEntry("native/linux/x86_64/lib");
      assertEquals(ZipEntry.STORED, entry.getMethod());
      try (InputStream stream = zip.getInputStream(entry)) {
        assertEquals(1000, stream.readAllBytes().length);
      }
    }
  }
}
