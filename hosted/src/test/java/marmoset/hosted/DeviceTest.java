package marmoset.hosted;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * The whole device on a real APK: {@code mvn test -Dmarmoset.test.apk=/path/to/app.apk}, after {@code hosted/setup
 * build/hosted}. Skipped where either is absent.
 */
public class DeviceTest {
  @Rule public TemporaryFolder folder = new TemporaryFolder();

  private Path apk;
  private Path dir;
  private Process process;
  private BufferedReader in;
  private OutputStream out;
  private int requests;

  @Before
  public void start() throws Exception {
    String name = System.getProperty("marmoset.test.apk", "");
    assumeTrue("skipped: -Dmarmoset.test.apk names no APK", !name.isEmpty());
    apk = Path.of(name);
    dir = Path.of(System.getProperty("marmoset.test.dir", ""));
    assumeTrue("skipped: run hosted/setup " + dir + " first", Files.exists(dir.resolve("stamp")));
    convert(folder.getRoot().toPath());
    process = startDevice();
    in = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    out = process.getOutputStream();
    assertTrue(((Map<?, ?>) Json.read(in.readLine())).containsKey("ready"));
  }

  @After
  public void stop() throws Exception {
    if (process == null) return;
    out.close();
    assertTrue("the device ends when its input ends", process.waitFor(10, TimeUnit.SECONDS));
  }

  @Test
  public void opensLaunchesAndResets() throws Exception {
    Map<?, ?> opened = open();
    String appPackage = (String) opened.get("package");
    request("reset", "seed", "1");
    perform("kind", "launch");
    Map<?, ?> screen = screen();
    assertEquals(appPackage, screen.get("package"));
    assertFalse(((List<?>) screen.get("windows")).isEmpty());
    byte[] png = Base64.getDecoder().decode((String) request("screenshot").get("png"));
    assertEquals("PNG", new String(png, 1, 3, StandardCharsets.US_ASCII));

    perform("kind", "key", "key", "HOME");
    assertEquals("com.android.launcher", screen().get("package"));
    perform("kind", "launch");
    assertEquals("back where it was left", screen.get("activity"), screen().get("activity"));

    request("reset", "seed", "1");
    assertEquals("nothing is launched", "com.android.launcher", screen().get("package"));
    perform("kind", "launch");
    assertEquals("the same after a reset", Json.write(screen), Json.write(screen()));
    perform("kind", "key", "key", "BACK");
  }

  @Test
  public void refusesNonsenseAndGoesOn() throws Exception {
    assertEquals("bad_request", error("fly"));
    assertEquals("no app is open yet", "bad_request", error("observe"));
    open();
    assertEquals("bad_request", error("perform"));
    assertEquals("bad_request", error("perform", "action", Map.of("kind", "fly")));
    assertEquals("bad_request", error("perform", "action", Map.of("kind", "tap")));
    assertEquals("bad_request", error("reset", "seed", "many"));
    perform("kind", "launch");
    assertEquals("an app without probes", "bad_request", error("coverage"));
  }

  private Map<?, ?> open() throws IOException {
    Path root = folder.getRoot().toPath();
    Path repaired = root.resolve("app.apk");
    return request(
        "open",
        "apk", (Files.exists(repaired) ? repaired : apk).toString(),
        "jar", root.resolve("classes.jar").toString(),
        "data", folder.newFolder().toString(),
        "profile", Map.of());
  }

  private Map<?, ?> screen() throws IOException {
    return (Map<?, ?>) request("observe").get("screen");
  }

  private void perform(String... fields) throws IOException {
    Map<String, Object> action = new LinkedHashMap<>();
    for (int i = 0; i < fields.length; i += 2) action.put(fields[i], fields[i + 1]);
    for (Object event : (List<?>) request("perform", "action", action).get("happened")) {
      Object kind = ((Map<?, ?>) event).get("kind");
      assertFalse(String.valueOf(event), kind.equals("crash") || kind.equals("host_gap"));
    }
  }

  private Map<?, ?> request(String verb, Object... fields) throws IOException {
    Map<?, ?> answer = exchange(verb, fields);
    assertTrue(String.valueOf(answer), answer.containsKey("ok"));
    return (Map<?, ?>) answer.get("ok");
  }

  private String error(String verb, Object... fields) throws IOException {
    Map<?, ?> answer = exchange(verb, fields);
    assertTrue(String.valueOf(answer), answer.containsKey("error"));
    return (String) ((Map<?, ?>) answer.get("error")).get("code");
  }

  private Map<?, ?> exchange(String verb, Object... fields) throws IOException {
    Map<String, Object> request = new LinkedHashMap<>();
    request.put("id", ++requests);
    request.put("do", verb);
    for (int i = 0; i < fields.length; i += 2) request.put((String) fields[i], fields[i + 1]);
    out.write((Json.write(request) + "\n").getBytes(StandardCharsets.UTF_8));
    out.flush();
    Map<?, ?> answer = (Map<?, ?>) Json.read(in.readLine());
    assertEquals((long) requests, answer.get("id"));
    return answer;
  }

  private void convert(Path to) throws Exception {
    Process conversion =
        new ProcessBuilder(
                "java", "-cp", dir + "/marmoset-hosted.jar" + File.pathSeparator + dir + "/lib/*",
                "marmoset.hosted.Convert", apk.toString(), to.toString())
            .inheritIO()
            .start();
    assertEquals(0, conversion.waitFor());
  }

  private Process startDevice() throws IOException {
    List<String> command = new ArrayList<>(List.of("java", "@" + dir.resolve("jvm-flags"), "marmoset.hosted.Main"));
    return new ProcessBuilder(command).redirectError(folder.newFile("stderr")).start();
  }
}
