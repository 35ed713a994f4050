package marmoset.hosted.sandbox;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
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
