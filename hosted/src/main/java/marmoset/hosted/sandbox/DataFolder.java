package marmoset.hosted.sandbox;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.stream.Stream;
import marmoset.hosted.RequestError;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.TempDirectory;

/** The folder that holds all files of the app's process. Main thread. */
final class DataFolder {
  private DataFolder() {}

  /** Empties {@code folder} and makes it the place of Robolectric's temporary files, instead of a random one. */
  static void moveTo(TempDirectory directory, Path folder) {
    try {
      Files.deleteIfExists(directory.getBasePath());
      delete(folder);
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new RequestError(RequestError.INFRASTRUCTURE, "cannot empty the app's data: " + e, e);
    }
    ReflectionHelpers.setField(directory, "basePath", folder);
  }

  /** Keeps a copy of what is in {@code folder} now, as it is on the disk when a process is killed. */
  static void keep(Path folder) {
    try {
      delete(copyOf(folder));
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : (Iterable<Path>) files::iterator) {
          Path to = copyOf(folder).resolve(folder.relativize(file).toString());
          Files.copy(file, to, StandardCopyOption.COPY_ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
        }
      }
    } catch (IOException e) {
      throw new RequestError(RequestError.INFRASTRUCTURE, "cannot keep the app's data: " + e, e);
    }
  }

  /** Puts back what {@link #keep} kept, where it did. */
  static void restore(Path folder) {
    if (!Files.exists(copyOf(folder))) return;
    try {
      delete(folder);
      Files.move(copyOf(folder), folder);
    } catch (IOException e) {
      throw new RequestError(RequestError.INFRASTRUCTURE, "cannot give the app's data back: " + e, e);
    }
  }

  private static Path copyOf(Path folder) {
    return folder.resolveSibling(folder.getFileName() + ".kept");
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) return;
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path dir, IOException error) throws IOException {
            Files.delete(dir);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
