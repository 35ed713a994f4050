package marmoset.hosted;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Enumeration;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/** Copies a jar without compression: a start of the JVM reads some ten thousand of its entries. */
final class StoredJar {
  /** What becomes of an entry: its new bytes, or null where it is left out. */
  interface Change {
    byte[] apply(String name, byte[] bytes) throws IOException;
  }

  private StoredJar() {}

  /** {@code out} is replaced at once, when all is written. */
  static void copy(Path in, Path out, Change change) throws IOException {
    Path temporary = out.resolveSibling(out.getFileName() + ".tmp");
    try (ZipFile zip = new ZipFile(in.toFile());
        OutputStream file = new BufferedOutputStream(Files.newOutputStream(temporary), 1 << 20);
        ZipOutputStream copy = new ZipOutputStream(file)) {
      copy.setMethod(ZipOutputStream.STORED);
      for (Enumeration<? extends ZipEntry> entries = zip.entries(); entries.hasMoreElements(); ) {
        ZipEntry entry = entries.nextElement();
        byte[] bytes;
        try (InputStream stream = zip.getInputStream(entry)) {
          bytes = change.apply(entry.getName(), stream.readAllBytes());
        }
        if (bytes == null) continue;
        CRC32 sum = new CRC32();
        sum.update(bytes);
        ZipEntry written = new ZipEntry(entry.getName());
        written.setTime(entry.getTime());
        written.setSize(bytes.length);
        written.setCrc(sum.getValue());
        copy.putNextEntry(written);
        copy.write(bytes);
        copy.closeEntry();
      }
    }
    Files.move(temporary, out, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }
}
