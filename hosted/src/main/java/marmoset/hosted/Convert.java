package marmoset.hosted;

import java.io.IOException;
import java.nio.file.Path;

/**
 * {@code Convert APK OUT_DIR [CODE]}: writes OUT_DIR/classes.jar, OUT_DIR/app.apk (only where the APK itself had to be
 * repaired) and OUT_DIR/report.json. CODE is a zip whose DEX files are converted instead of the APK's: its code with
 * probes. Exit code 2 with {@code file: what: remedy} on standard error for a bad APK, 1 for
 * an I/O error.
 */
public final class Convert {
  private Convert() {}

  public static void main(String[] args) {
    if (args.length < 2 || args.length > 3) {
      System.err.println("usage: Convert APK OUT_DIR [CODE]");
      System.exit(2);
    }
    try {
      new ApkConverter(Path.of(args[0]), Path.of(args.length == 3 ? args[2] : args[0]), Path.of(args[1])).convert();
    } catch (ApkError e) {
      System.err.println(args[0] + ": " + e.getMessage());
      System.exit(2);
    } catch (IOException e) {
      System.err.println(args[0] + ": cannot convert: " + e);
      System.exit(1);
    }
  }
}
