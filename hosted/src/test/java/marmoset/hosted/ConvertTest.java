package marmoset.hosted;

import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Bad input: each has a message that says what is wrong and what to do. */
public class ConvertTest {
  @Rule public TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void noSuchFile() {
    assertRefused("no such file", folder.getRoot().toPath().resolve("none.apk"));
  }

  @Test
  public void notAZip() throws Exception {
    assertRefused("not an APK", file("hello".getBytes(StandardCharsets.UTF_8)));
    assertRefused("not an APK", file(new byte[0]));
  }

  @Test
  public void cutShort() throws Exception {
    byte[] whole = zip("AndroidManifest.xml", "classes.dex");
    assertRefused("cut short", file(Arrays.copyOf(whole, whole.length - 30)));
  }

  @Test
  public void noManifest() throws Exception {
    assertRefused("no AndroidManifest.xml", file(zip("classes.dex")));
  }

  @Test
  public void noDex() throws Exception {
    assertRefused("no classes.dex", file(zip("AndroidManifest.xml", "res/a.png")));
  }

  @Test
  public void damagedDex() throws Exception {
    assertRefused("cannot be read", file(zip("AndroidManifest.xml", "classes.dex")));
  }

  private void assertRefused(String what, Path apk) {
    Path out = folder.getRoot().toPath().resolve("out");
    ApkError error = assertThrows(ApkError.class, () -> new ApkConverter(apk, apk, out).convert());
    assertTrue(error.getMessage(), error.getMessage().contains(what));
    assertTrue("names a remedy: " + error.getMessage(), error.getMessage().matches("(?s).*: .+"));
  }

  private Path file(byte[] bytes) throws Exception {
    return Files.write(folder.newFile().toPath(), bytes);
  }

  private static byte[] zip(String... names) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (String name : names) {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(name.getBytes(StandardCharsets.UTF_8));
      }
    }
    return bytes.toByteArray();
  }
}
