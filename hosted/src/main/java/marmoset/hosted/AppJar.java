package marmoset.hosted;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * The converted classes and Java resources of one app, in memory: every reset reads them again, through a new class
 * loader. Immutable; any thread.
 */
public final class AppJar {
  private final Map<String, byte[]> entries = new HashMap<>();

  /** Reads the jar that {@link Convert} wrote. */
  public AppJar(Path jar) throws IOException {
    try (InputStream file = Files.newInputStream(jar);
        ZipInputStream zip = new ZipInputStream(file)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        entries.put(entry.getName(), zip.readAllBytes());
      }
    }
  }

  /** The bytes of one entry, or null. */
  public byte[] get(String name) {
    return entries.get(name);
  }

  /** A URL from which the entry can be read, or null where there is none. */
  public URL url(String name) {
    byte[] bytes = entries.get(name);
    if (bytes == null) return null;
    try {
      return new URL("app", "", -1, "/" + name, new MemoryHandler(bytes));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static final class MemoryHandler extends URLStreamHandler {
    private final byte[] bytes;

    MemoryHandler(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    protected URLConnection openConnection(URL url) {
      return new URLConnection(url) {
        @Override
        public void connect() {}

        @Override
        public InputStream getInputStream() {
          return new ByteArrayInputStream(bytes);
        }
      };
    }
  }
}
