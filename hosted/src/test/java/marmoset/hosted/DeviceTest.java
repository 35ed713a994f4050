package marmoset.hosted;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.objectweb.asm.ClassReader;

/**
 * The whole device on a real APK: {@code mvn test -Dmarmoset.test.apk=/path/to/app.apk}, after {@code hosted/setup
 * build/hosted}. Skipped where either is absent.
 */
public class DeviceTest {
  private static final String SDK = System.getProperty("marmoset.test.sdk", "34");

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
    connect();
  }

  private void connect(String... jvmFlags) throws IOException {
    process = startDevice(jvmFlags);
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
  public void takesTheFrameworkFromTheArchiveOfClasses() throws Exception {
    assumeTrue("skipped: no archive: is aapt2 there?", Files.exists(archive()));
    stop();
    Path log = folder.getRoot().toPath().resolve("classes");
    connect("-Xlog:class+load=info:file=" + log);
    open();
    String loaded = Files.readString(log);
    for (String name : List.of("android.app.Activity", "org.robolectric.internal.AndroidSandbox")) {
      assertTrue(name, loaded.contains(name + " source: shared objects file (top)"));
    }
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
    assertEquals("bad_request", error("reset", "schedule_seed", "-"));
    perform("kind", "launch");
    assertEquals("an app without probes", "bad_request", error("coverage"));
  }

  /** Bug 3 of the sample app crashes in some orders of two workers; see samples/ledger/BUGS.md. */
  @Test
  public void theSeedsSettleARace() throws Exception {
    assumeTrue("skipped: not the sample app", "org.marmoset.ledger".equals(open().get("package")));
    Map<String, Boolean> crashed = new LinkedHashMap<>();
    for (int seed = 1; seed <= 8; seed++) {
      for (int scheduleSeed = 0; scheduleSeed < 3; scheduleSeed++) {
        crashed.put(seed + " " + scheduleSeed, raceCrashes(seed, scheduleSeed));
      }
    }
    String found = String.valueOf(crashed);
    long crashes = crashed.values().stream().filter(crash -> crash).count();
    assertTrue("both outcomes occur: " + found, crashes >= 4 && crashes <= 20);
    boolean both = false;
    for (int seed = 1; seed <= 8; seed++) both |= !crashed.get(seed + " 0").equals(crashed.get(seed + " 1"));
    assertTrue("the schedule seed alone changes the outcome: " + found, both);
    for (int i = 0; i < 5; i++) assertEquals(crashed.get("3 1"), raceCrashes(3, 1));

    stop();
    connect();
    open();
    for (int seed = 8; seed >= 1; seed--) {
      assertEquals("seed " + seed + " in another JVM", crashed.get(seed + " 0"), raceCrashes(seed, 0));
    }
  }

  /** AsyncTask, HandlerThread, Timer, scheduled pools, preferences and plain threads, in a class put into the app. */
  @Test
  public void allKindsOfThreadsFollowTheSeed() throws Exception {
    assumeTrue("skipped: not the sample app", "org.marmoset.ledger".equals(open().get("package")));
    stop();
    replaceClass("AboutActivity.java");
    connect();
    open();
    Map<Integer, String> orders = new LinkedHashMap<>();
    for (int seed = 1; seed <= 10; seed++) orders.put(seed, order(seed));
    for (String order : orders.values()) {
      assertTrue(order, order.endsWith("timer@120 scheduled@130 ui@140 delayed@150 slow@160 late@160"));
      assertTrue("one by one: " + order, order.matches(".* serial0@.* serial1@.* serial2@.*"));
      assertEquals("everything once: " + order, 21, order.split(" ").length - 1);
    }
    assertTrue("different seeds, different orders: " + orders, new HashSet<>(orders.values()).size() > 5);

    stop();
    connect();
    open();
    for (int seed = 10; seed >= 1; seed--) assertEquals("in another JVM", orders.get(seed), order(seed));
  }

  private String order(int seed) throws IOException {
    request("reset", "seed", "" + seed);
    Map<String, Object> action = Map.of("kind", "launch", "component", "org.marmoset.ledger/.AboutActivity");
    StringBuilder order = new StringBuilder();
    for (Object event : (List<?>) request("perform", "action", action).get("happened")) {
      Map<?, ?> happened = (Map<?, ?>) event;
      assertFalse(String.valueOf(happened), happened.get("kind").equals("crash"));
      if ("order".equals(happened.get("tag"))) order.append(' ').append(happened.get("message"));
    }
    return order.toString();
  }

  @Test
  public void theAppSeesAPhoneAndItsMainThreadMustRespond() throws Exception {
    assumeTrue("skipped: not the sample app", "org.marmoset.ledger".equals(open().get("package")));
    stop();
    replaceClass("phone/AboutActivity.java");
    connect();
    open();

    String processor = "processor\t: 0";
    String readOnly = ": open failed: EROFS (Read-only file system)";
    String expected =
        String.join(
            "\n",
            "root [acct, apex, cache, config, data, dev, etc, mnt, odm, proc, product, sdcard, storage, sys, system, vendor]",
            "cpu " + processor + ", " + processor,
            "passwd /etc/passwd: open failed: ENOENT (No such file or directory)",
            "host falsefalsefalse",
            "write /system/x" + readOnly + ", /x" + readOnly + ", false",
            "shared written, text",
            "own written, text",
            "changed 1700000000000",
            "properties aarch64 /system null",
            "temporary true",
            "exec Cannot run program \"id\": error=13, Permission denied");
    List<String> lines = new ArrayList<>();
    for (Map<?, ?> event : about("files")) {
      if ("phone".equals(event.get("tag"))) lines.add((String) event.get("message"));
    }
    assertEquals(expected, String.join("\n", lines));

    for (int process = 0; process < 2; process++) {
      assertTrue("no class of another process", String.valueOf(about("part")).contains("part of this process true"));
    }

    for (Map<?, ?> event : about("turns")) assertFalse(String.valueOf(event), event.get("kind").equals("crash"));
    assertEquals("turned by the app", 1L, screen().get("rotation"));

    for (Map<?, ?> event : about("posts")) assertFalse(String.valueOf(event), event.get("kind").equals("crash"));
    perform("kind", "key", "key", "BACK");
    assertEquals("a busy app can be left", "com.android.launcher", screen().get("package"));

    assertAnr(about("sleeps"), "has waited for 5 s");
    assertEquals("com.android.launcher", screen().get("package"));

    about("read throws");
    Map<?, ?> seen = request("observe");
    assertTrue(String.valueOf(seen), seen.get("happened").toString().contains("IllegalStateException: read"));
    about("read sleeps");
    assertAnr(events(request("observe")), "has waited for 5 s");

    assertAnr(about("loops"), "has not come back for 10 s");
    assertEquals("com.android.launcher", screen().get("package"));
    assertEquals("the JVM is to be replaced", "infrastructure", error("reset"));
    process.destroyForcibly();
  }

  @Test
  public void anAppThatTakesAllMemoryDiesAndTheDeviceAnswers() throws Exception {
    assumeTrue("skipped: not the sample app", "org.marmoset.ledger".equals(open().get("package")));
    stop();
    replaceClass("phone/AboutActivity.java");
    for (String what : List.of("eats", "eats on", "eats beside")) {
      connect();
      open();
      assertTrue("an app may be refused memory", String.valueOf(about("one bite")).contains("refused"));
      List<Map<?, ?>> happened = about(what);
      Map<?, ?> last = happened.get(happened.size() - 1);
      assertEquals(String.valueOf(happened), "java", last.get("cause"));
      assertEquals(what.equals("eats beside") ? "eater" : "main", last.get("thread"));
      String stack = (String) last.get("stack");
      assertTrue(stack, stack.startsWith("java.lang.OutOfMemoryError: "));
      assertTrue(stack, stack.contains("at org.marmoset.ledger.AboutActivity"));
      assertEquals("com.android.launcher", screen().get("package"));
      assertEquals("the JVM is to be replaced", "infrastructure", error("reset"));
      process.destroyForcibly();
    }
  }

  private static void assertAnr(List<Map<?, ?>> happened, String why) {
    Map<?, ?> last = happened.get(happened.size() - 1);
    assertEquals(String.valueOf(happened), "anr", last.get("cause"));
    String stack = (String) last.get("stack");
    assertTrue(stack, stack.startsWith("android.app.ApplicationNotResponding: the main thread " + why));
    assertTrue(stack, stack.contains("at org.marmoset.ledger.AboutActivity"));
  }

  private List<Map<?, ?>> about(String what) throws IOException {
    request("reset");
    Map<String, Object> action =
        Map.of("kind", "intent", "component", "org.marmoset.ledger/.AboutActivity", "extras", Map.of("what", what));
    return events(request("perform", "action", action));
  }

  private static List<Map<?, ?>> events(Map<?, ?> answer) {
    List<Map<?, ?>> events = new ArrayList<>();
    for (Object event : (List<?>) answer.get("happened")) events.add((Map<?, ?>) event);
    return events;
  }

  @Test
  public void aProcessDeathKeepsFilesAndSavedStateOnly() throws Exception {
    assumeTrue("skipped: not the sample app", "org.marmoset.ledger".equals(open().get("package")));
    stop();
    replaceClass("death/AboutActivity.java");
    connect();
    open();
    request("reset");
    perform("kind", "process_death");
    assertEquals("nothing to come back to", "com.android.launcher", screen().get("package"));
    perform("kind", "launch");
    Object main = screen().get("activity");
    Map<String, Object> action =
        Map.of(
            "kind", "intent", "component", "org.marmoset.ledger/.AboutActivity", "extras", Map.of("what", "extra"));
    assertEquals(
        List.of("static 1 state 1 preference 1 database 1 intent extra later true", "field typed"),
        deathLog(request("perform", "action", action)));
    Map<String, Object> death = Map.of("kind", "process_death");
    for (int life = 2; life <= 4; life++) {
      String expected = "static 1 state N preference N database N intent extra later true".replace("N", "" + life);
      assertEquals(List.of(expected, "field typed"), deathLog(request("perform", "action", death)));
    }
    assertEquals("org.marmoset.ledger.AboutActivity", screen().get("activity"));
    perform("kind", "key", "key", "HOME");
    request("perform", "action", death);
    assertEquals("the user has come back", "org.marmoset.ledger.AboutActivity", screen().get("activity"));
    assertEquals(1, screenWindows());
    List<Map<?, ?>> back = events(request("perform", "action", Map.of("kind", "key", "key", "BACK")));
    assertTrue("made anew: " + back, back.toString().contains("kind=activity, name=" + main));
    assertEquals(main, screen().get("activity"));

    request("reset");
    assertEquals(
        "a reset forgets all",
        List.of("static 1 state 1 preference 1 database 1 intent extra later false", "field typed"),
        deathLog(request("perform", "action", action)));
  }

  @Test
  public void aBrowserShowsThePagesThatTheAppHas() throws Exception {
    replaceClass("web/AboutActivity.java");
    stop();
    connect();
    assumeTrue("skipped: not the sample app", "org.marmoset.ledger".equals(open().get("package")));
    request("reset");
    Map<String, Object> action = Map.of("kind", "launch", "component", "org.marmoset.ledger/.AboutActivity");
    List<String> heard = new ArrayList<>();
    for (Map<?, ?> event : events(request("perform", "action", action))) {
      if ("web".equals(event.get("tag"))) heard.add((String) event.get("message"));
    }
    assertEquals(
        List.of(
            "finished data:text/html back false", "error -2 https://example.com/",
            "finished https://example.com/ back true", "finished file:///help back true"),
        heard);
    String screen = Json.write(screen());
    assertTrue(screen, screen.contains("\"text\":\"Press Save.\",\"desc\":\"file:///help\""));
  }

  @Test
  public void theAppIsOnThePhoneOfTheProfile() throws Exception {
    replaceClass("profile/AboutActivity.java");
    stop();
    connect();
    Map<String, Object> profile =
        Map.of(
            "build", Map.of("manufacturer", "Xiaomi", "model", "MI 5"),
            "abis", List.of("armeabi-v7a", "armeabi"),
            "sensors", List.of("gyroscope", "magnetic_field"),
            "other_apps", List.of("browser"),
            "locale", "de-DE",
            "time_zone", "Europe/Berlin");
    assumeTrue("skipped: not the sample app", "org.marmoset.ledger".equals(open(profile).get("package")));
    for (int process = 0; process < 2; process++) {
      request("reset");
      Map<String, Object> action = Map.of("kind", "launch", "component", "org.marmoset.ledger/.AboutActivity");
      List<String> heard = new ArrayList<>();
      for (Map<?, ?> event : events(request("perform", "action", action))) {
        if ("phone".equals(event.get("tag"))) heard.add((String) event.get("message"));
      }
      assertEquals(
          List.of(
              "Xiaomi MI 5 sailfish [armeabi-v7a, armeabi]", "de_DE Europe/Berlin",
              "magnetic field by Xiaomi android.sensor.magnetic_field", "gyroscope by Xiaomi android.sensor.gyroscope",
              "light false", "nobody opens tel:1", "opened https://example.com"),
          heard);
    }
  }

  @Test
  public void aTimeZoneThatDoesNotExistIsNamed() throws Exception {
    Map<?, ?> answer =
        exchange(
            "open",
            "apk", apk.toString(),
            "jar", folder.getRoot().toPath().resolve("classes.jar").toString(),
            "data", folder.newFolder().toString(),
            "profile", Map.of("time_zone", "Mars/Base"));
    assertTrue(answer.toString(), answer.toString().contains("profile: no time zone has the name Mars/Base"));
  }

  @Test
  public void aRecordingTypesOnTheKeyboard() throws Exception {
    showAbout("death/AboutActivity.java", Map.of("keyboard", "drawn", "manners_sdk", 19));
    assertEquals("no keyboard unasked", 1, screenWindows());
    Map<?, ?> field = widget("typed");
    tap(field);
    tap(widget("q"));
    tap(widget("?123"));
    tap(widget("7"));
    tap(widget("Delete"));
    tap(widget("8"));
    assertEquals("typedq8", widget("typedq8").get("text"));
    perform("kind", "key", "key", "BACK");
    assertEquals("BACK takes the keyboard away first", 1, screenWindows());
    assertEquals("org.marmoset.ledger.AboutActivity", screen().get("activity"));
  }

  @Test
  public void aFormMakesRoomForTheKeyboard() throws Exception {
    showAbout("keyboard/AboutActivity.java", Map.of("keyboard", "drawn"));
    long bottom = bottom(widget("ASK"));
    tap(widget("typed"));
    assertEquals(List.of("activity", "keyboard"), windowTypes());
    assertTrue("the button is above the keyboard", bottom(widget("ASK")) <= top(widget("q")));
    tap(widget("ASK"));
    assertEquals("a dialog without a field lies above the keyboard", List.of("activity", "dialog"), windowTypes());
    perform("kind", "key", "key", "BACK");
    assertEquals("and leaves it", List.of("activity", "keyboard"), windowTypes());
    assertTrue("with its room", bottom(widget("ASK")) <= top(widget("q")));
    perform("kind", "key", "key", "BACK");
    assertEquals(List.of("activity"), windowTypes());
    assertEquals("the button is back", bottom, bottom(widget("ASK")));
  }

  private static long top(Map<?, ?> widget) {
    return ((Number) ((List<?>) widget.get("bounds")).get(1)).longValue();
  }

  private static long bottom(Map<?, ?> widget) {
    return ((Number) ((List<?>) widget.get("bounds")).get(3)).longValue();
  }

  /** Without the handles and the menu of a field. */
  private List<Object> windowTypes() throws IOException {
    List<Object> types = new ArrayList<>();
    for (Object window : (List<?>) screen().get("windows")) types.add(((Map<?, ?>) window).get("type"));
    types.removeIf("popup"::equals);
    return types;
  }

  @Test
  public void tabsShowWhatIsEmbeddedInThem() throws Exception {
    showAbout("tabs/AboutActivity.java", Map.of());
    assertEquals("org.marmoset.ledger.AboutActivity", screen().get("activity"));
    assertTrue("the embedded activity: " + screen(), screen().toString().contains("org.marmoset.ledger:id/export"));
    tap(widget("SECOND"));
    assertEquals("made for second", widget("made for second").get("text"));
    tap(widget("FIRST"));
    List<Map<?, ?>> back = events(request("perform", "action", Map.of("kind", "key", "key", "BACK")));
    assertTrue("BACK leaves both: " + back, back.toString().contains("kind=finished"));
  }

  /** A button's capitals are in its text from Android 8 on only. */
  private Map<?, ?> widget(String text) throws IOException {
    for (Object window : (List<?>) screen().get("windows")) {
      for (Object widget : (List<?>) ((Map<?, ?>) window).get("widgets")) {
        Map<?, ?> found = (Map<?, ?>) widget;
        if (text.equalsIgnoreCase((String) found.get("text"))) return found;
      }
    }
    throw new AssertionError("no widget " + text + ": " + screen());
  }

  private Map<?, ?> tap(Map<?, ?> widget) throws IOException {
    List<?> bounds = (List<?>) widget.get("bounds");
    long x = ((Number) bounds.get(0)).longValue() + ((Number) bounds.get(2)).longValue();
    long y = ((Number) bounds.get(1)).longValue() + ((Number) bounds.get(3)).longValue();
    return request("perform", "action", Map.of("kind", "tap", "x", x / 2, "y", y / 2));
  }

  private int screenWindows() throws IOException {
    return ((List<?>) screen().get("windows")).size();
  }

  /** The system's providers have their tables, ask for permissions, and the user can pick a contact. */
  @Test
  public void windowsAreDrawnAndAnimationsEnd() throws Exception {
    showAbout("drawing/AboutActivity.java", Map.of());
    tap(widget("count"));
    assertEquals("drawn", widget("drawn").get("text"));
    tap(widget("fade"));
    assertEquals("its second is not over", "fading", widget("fading").get("text"));
    request("perform", "action", Map.of("kind", "wait", "duration_ms", 1000));
    assertEquals("faded", widget("faded").get("text"));
    Map<?, ?> crash = events(tap(widget("break"))).get(0);
    assertEquals("crash", crash.get("kind"));
    assertTrue(String.valueOf(crash), String.valueOf(crash.get("stack")).contains("cannot be drawn"));
  }

  /** The sample app is made for Android 13; what that forbids is a crash from the level on that forbids it. */
  @Test
  public void theAppMayDoWhatItsTargetAllows() throws Exception {
    open();
    replaceClass("forbidden/AboutActivity.java");
    stop();
    connect();
    assumeTrue("skipped: not the sample app", "org.marmoset.ledger".equals(open().get("package")));
    int sdk = Integer.parseInt(SDK);
    List<String> expected =
        List.of(
            "name: NetworkOnMainThreadException",
            "connection: NetworkOnMainThreadException",
            "name beside: UnknownHostException",
            "join: allowed",
            "file: " + (sdk >= 24 ? "FileUriExposedException" : "allowed"),
            "index: " + (sdk >= 29 ? "ArrayIndexOutOfBoundsException" : "allowed"),
            "clip: " + (sdk >= 28 ? "IllegalArgumentException" : "allowed"));
    for (int process = 0; process < 2; process++) {
      request("reset");
      Map<String, Object> action = Map.of("kind", "launch", "component", "org.marmoset.ledger/.AboutActivity");
      assertEquals(expected, heard(request("perform", "action", action)));
    }
  }

  @Test
  public void theSystemsProvidersAnswer() throws Exception {
    assumeTrue("skipped: not the sample app", "org.marmoset.ledger".equals(open().get("package")));
    replaceClass("providers/AboutActivity.java");
    stop();
    connect();
    open(Map.of("contacts", List.of(Map.of("name", "Zoe"), Map.of("name", "Max", "phone", "+49 30 1"))));
    for (int process = 0; process < 2; process++) {
      request("reset");
      Map<String, Object> action = Map.of("kind", "launch", "component", "org.marmoset.ledger/.AboutActivity");
      List<String> heard = heard(request("perform", "action", action));
      String denied = "java.lang.SecurityException: Permission Denial: opening provider for content://com.android.";
      assertEquals(
          List.of(
              "images ",
              "content://media/external/images/media/1 holds 42",
              "images [Sunrise]",
              "calendar " + denied + "calendar/events requires android.permission.READ_CALENDAR",
              "contacts " + denied + "contacts/contacts requires android.permission.READ_CONTACTS",
              "nonsense java.lang.IllegalArgumentException: Unknown URL content://media/nonsense"),
          heard);
      assertEquals("com.android.contacts.activities.ContactSelectionActivity", screen().get("activity"));
      assertTrue("sorted: " + screen(), top(widget("Max")) < top(widget("Zoe")));
      assertEquals(List.of("picked content://com.android.contacts/contacts/lookup/r1/1 [Zoe]"), heard(tap(widget("Zoe"))));
      assertEquals(List.of("picked content://com.android.contacts/data/3 [+49 30 1]"), heard(tap(widget("Max\n+49 30 1"))));
    }
  }

  private static List<String> heard(Map<?, ?> answer) {
    List<String> heard = new ArrayList<>();
    for (Map<?, ?> event : events(answer)) {
      if ("phone".equals(event.get("tag"))) heard.add((String) event.get("message"));
    }
    return heard;
  }

  private static List<String> deathLog(Map<?, ?> answer) {
    List<String> lines = new ArrayList<>();
    for (Map<?, ?> event : events(answer)) {
      assertFalse(String.valueOf(event), List.of("crash", "host_gap").contains(event.get("kind")));
      if ("death".equals(event.get("tag"))) lines.add((String) event.get("message"));
    }
    return lines;
  }

  /** Puts a class of the test's resources, compiled and converted, into the app. */
  private void replaceClass(String source) throws Exception {
    Path root = folder.getRoot().toPath();
    Path file = root.resolve(source);
    Files.createDirectories(file.getParent());
    try (InputStream in = DeviceTest.class.getResourceAsStream("/" + source)) {
      Files.copy(in, file);
    }
    Path classes = folder.newFolder().toPath();
    String framework;
    try (Stream<Path> frameworks = Files.list(dir.resolve("sdk-original"))) {
      framework = frameworks.filter(jar -> jar.toString().contains("-14-")).findFirst().orElseThrow().toString();
    }
    List<String> options =
        List.of(
            "-proc:none", "-nowarn", "-source", "8", "-target", "8", "-Xlint:-options", "-cp", framework, "-sourcepath",
            "../samples/framework", "-d", classes.toString(), file.toString());
    assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, options.toArray(new String[0])));
    Map<String, byte[]> compiled = new LinkedHashMap<>();
    ClassTree tree = new ClassTree();
    for (File found : classes.resolve("org/marmoset/ledger").toFile().listFiles()) {
      byte[] bytes = Files.readAllBytes(found.toPath());
      tree.add(new ClassReader(bytes));
      compiled.put("org/marmoset/ledger/" + found.getName(), bytes);
    }
    try (FileSystem jar = FileSystems.newFileSystem(root.resolve("classes.jar"))) {
      for (Map.Entry<String, byte[]> entry : compiled.entrySet()) {
        Files.write(jar.getPath(entry.getKey()), new ClassRepair(tree, source).repair(entry.getValue()));
      }
    }
  }

  private boolean raceCrashes(int seed, int scheduleSeed) throws IOException {
    request("reset", "seed", "" + seed, "schedule_seed", "" + scheduleSeed);
    perform("kind", "launch");
    tap("menu_settings");
    tap("parallel");
    perform("kind", "key", "key", "BACK");
    tap("menu_balances");
    boolean crash = false;
    for (Object event : tap("calculate")) {
      Map<?, ?> happened = (Map<?, ?>) event;
      crash |= happened.get("kind").equals("crash");
      assertFalse(String.valueOf(happened), String.valueOf(happened.get("message")).contains("left to chance"));
    }
    return crash;
  }

  private List<?> tap(String id) throws IOException {
    for (Object window : (List<?>) screen().get("windows")) {
      for (Object widget : (List<?>) ((Map<?, ?>) window).get("widgets")) {
        Map<?, ?> found = (Map<?, ?>) widget;
        if (!String.valueOf(found.get("id")).endsWith("/" + id)) continue;
        List<?> bounds = (List<?>) found.get("bounds");
        long x = ((Number) bounds.get(0)).longValue() + ((Number) bounds.get(2)).longValue();
        long y = ((Number) bounds.get(1)).longValue() + ((Number) bounds.get(3)).longValue();
        Map<String, Object> action = Map.of("kind", "tap", "x", x / 2, "y", y / 2);
        return (List<?>) request("perform", "action", action).get("happened");
      }
    }
    throw new AssertionError("no widget " + id);
  }

  /** A new device with another about screen of the sample app in front. */
  private void showAbout(String source, Map<String, Object> profile) throws Exception {
    replaceClass(source);
    stop();
    connect();
    assumeTrue("skipped: not the sample app", "org.marmoset.ledger".equals(open(profile).get("package")));
    request("reset");
    perform("kind", "launch", "component", "org.marmoset.ledger/.AboutActivity");
  }

  private Map<?, ?> open() throws IOException {
    return open(Map.of());
  }

  private Map<?, ?> open(Map<String, Object> profile) throws IOException {
    Path root = folder.getRoot().toPath();
    Path repaired = root.resolve("app.apk");
    return request(
        "open",
        "apk", (Files.exists(repaired) ? repaired : apk).toString(),
        "jar", root.resolve("classes.jar").toString(),
        "data", folder.newFolder().toString(),
        "profile", profile);
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

  private Path archive() {
    return dir.resolve("sdk/" + SDK + ".jsa");
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

  private Process startDevice(String... jvmFlags) throws IOException {
    List<String> command = new ArrayList<>(List.of("java", "@" + dir.resolve("jvm-flags")));
    command.addAll(List.of(jvmFlags));
    if (Files.exists(archive())) command.add("-XX:SharedArchiveFile=" + archive());
    // It unpacks 200 MB, which nobody else would delete.
    command.add("-Djava.io.tmpdir=" + folder.getRoot());
    command.addAll(List.of("marmoset.hosted.Main", "--sdk", SDK));
    return new ProcessBuilder(command).redirectError(new File(folder.getRoot(), "stderr")).start();
  }
}
