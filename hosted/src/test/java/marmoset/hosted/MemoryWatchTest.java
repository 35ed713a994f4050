package marmoset.hosted;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.Test;

public class MemoryWatchTest {
  @Test
  public void whatIsInUseFillsTheHeap() throws Exception {
    assertEquals("true true", run("held"));
  }

  @Test
  public void whatAnEarlierProcessLeftIsNotTheAppsFault() throws Exception {
    assertEquals("false false", run("left"));
  }

  /** With the device's collector, and a heap of which 48 MB are for objects that live long, 16 of them the reserve. */
  private static String run(String scenario) throws IOException, InterruptedException {
    String classes = classesOf(MemoryProgram.class) + ":" + classesOf(MemoryWatch.class);
    Process process =
        new ProcessBuilder(
                "java", "-XX:+UseSerialGC", "-Xmx72m", "-cp", classes, MemoryProgram.class.getName(), scenario)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String printed = new String(process.getInputStream().readAllBytes()).strip();
    assertEquals(0, process.waitFor());
    return printed;
  }

  private static Path classesOf(Class<?> type) {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath());
  }
}
