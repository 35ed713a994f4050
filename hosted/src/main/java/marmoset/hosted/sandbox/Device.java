package marmoset.hosted.sandbox;

import android.app.Activity;
import android.content.ComponentName;
import android.content.Intent;
import android.content.pm.PackageManager;
import android.content.pm.ResolveInfo;
import android.content.res.AssetManager;
import android.graphics.Typeface;
import android.os.Handler;
import android.os.Looper;
import android.os.SystemClock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import marmoset.hosted.AppClassLoader;
import marmoset.hosted.AppJar;
import marmoset.hosted.GapRule;
import marmoset.hosted.HostClassLoader;
import marmoset.hosted.HostedDevice;
import marmoset.hosted.RequestError;
import marmoset.hosted.StackText;
import marmoset.hosted.gate.Gate;
import marmoset.hosted.sandbox.shadows.HostShadowActivity;
import org.robolectric.internal.AndroidSandbox;

/**
 * The hosted device: one app, one process of it at a time. Main thread, except {@link #newHits},
 * {@link #observeDead} and {@link #onDeath}.
 *
 * <p>A process lives from reset to reset. When the app dies, the process stays dead until the next reset.
 */
public final class Device implements HostedDevice {
  /** A phone's limit for the handling of an input. */
  private static final long RESPONSE_NANOS = 5_000_000_000L;

  private final AndroidSandbox sandbox;
  private final BooleanSupplier memoryIsFull;
  private final Events events = new Events();
  private final BackgroundThreads threads = new BackgroundThreads();
  private final JdkState jdk = new JdkState();
  private final ThreadLocals locals = new ThreadLocals();
  private final Quiescence quiescence = new Quiescence(this::leftToChance, this::notResponding);

  // Set by open.
  private AppJar jar;
  private DeviceProfile profile;
  private AppProcess process;
  private String appPackage;
  private Intent launcher;

  // Set by reset.
  private long seed;
  private long scheduleSeed;
  private volatile Crashes crashes;
  private volatile Coverage coverage;
  private DeviceLog log;
  private DisplayState display;
  private Permissions permissions;
  private ActivityStack stack;
  private Actions actions;

  /** {@code memoryIsFull}: whether the app holds so much of the JVM's memory that a failure for want of it is its own. */
  public Device(AndroidSandbox sandbox, BooleanSupplier memoryIsFull) {
    this.sandbox = sandbox;
    this.memoryIsFull = memoryIsFull;
    jdk.restore();
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, error) -> {
          Crashes current = crashes;
          if (current != null && threads.isApp(thread)) current.uncaught(thread.getName(), error);
        });
    Gate.enroll(quiescence, RESPONSE_NANOS);
  }

  @Override
  public Map<String, Object> open(Map<String, Object> arguments) {
    if (process != null) throw new RequestError(RequestError.BAD_REQUEST, "an app is open already");
    Path apk = path(arguments, "apk");
    try {
      jar = new AppJar(path(arguments, "jar"));
    } catch (IOException e) {
      throw new RequestError(RequestError.INFRASTRUCTURE, "cannot read the converted classes: " + e, e);
    }
    Object wanted = arguments.get("profile");
    profile = new DeviceProfile(wanted instanceof Map<?, ?> map ? map : Map.of());
    process = new AppProcess(sandbox, apk, path(arguments, "data"), quiescence);
    reset(0, 0);
    // The first process does not differ from the others by what the framework does only once.
    BackgroundThreads.startFramework();
    Typeface.defaultFromStyle(Typeface.NORMAL);
    AssetManager.getSystem();
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("package", appPackage);
    result.put("launcher", launcher == null ? "" : launcher.getComponent().flattenToShortString());
    return result;
  }

  private static Path path(Map<String, Object> arguments, String key) {
    if (arguments.get(key) instanceof String text) return Path.of(text);
    throw new RequestError(RequestError.BAD_REQUEST, "open: " + key + " is missing");
  }

  @Override
  public void reset(long seed, long scheduleSeed) {
    if (process == null) throw new RequestError(RequestError.BAD_REQUEST, "no app is open");
    endProcess();
    AppRuntime.reset(seed, profile.epochMillis);
    this.seed = seed;
    this.scheduleSeed = scheduleSeed;
    coverage = null;
    beginProcess(0);
  }

  /** On a device that has been up for so long. */
  private void beginProcess(long uptimeMillis) {
    HostClassLoader host = (HostClassLoader) sandbox.getRobolectricClassLoader();
    AppClassLoader loader = new AppClassLoader(host, jar);
    host.setApp(loader);
    AppClasses.setLoader(loader);
    if (jar.get(Coverage.ENTRY) != null) {
      coverage = coverage == null ? new Coverage(loader) : new Coverage(loader, coverage);
    }
    threads.begin();
    Gate.reset(seed, scheduleSeed);
    crashes = new Crashes(events, new GapRule(this::isApp, memoryIsFull));
    log = new DeviceLog(events);
    try {
      process.begin(profile, uptimeMillis);
    } catch (RequestError e) {
      throw e;
    } catch (RuntimeException | Error e) {
      if (appPackage == null) throw new RequestError(RequestError.HOST_GAP, "the app does not come up: " + e, e);
      // The Application's constructor threw: on a phone that is a crash of the first launch.
      crashes.uncaught("main", e);
      return;
    }
    log.bound();
    appPackage = process.application().getPackageName();
    display = new DisplayState(profile);
    permissions = new Permissions();
    permissions.install(process.application());
    stack = new ActivityStack(process.application(), events, new Lifecycle(), permissions, display);
    display.onChange(stack::configurationChanged);
    process.instrumentation().setStack(stack);
    new Services(process.application());
    new Jobs();
    HostShadowActivity.setListener(new StackListener());
    actions = new Actions(process, stack, quiescence, display, this::launcher);
    launcher = findLauncher();
  }

  private void endProcess() {
    if (!process.isUp()) return;
    HostShadowActivity.setListener(null);
    // From here on nobody listens to the exceptions of the old process.
    crashes = null;
    if (!threads.endAll()) {
      throw new RequestError(RequestError.INFRASTRUCTURE, "a thread of the app does not end with its process");
    }
    Thread.interrupted();
    Services.forget();
    Jobs.forget();
    Drawing.forget();
    process.end(events);
    jdk.restore();
    locals.restore();
    // What the framework's threads were about to do for this process, they do now.
    Gate.runOthers();
    events.take();
    stack = null;
    actions = null;
  }

  /**
   * The user leaves the app, the system ends its process for want of memory, and the user comes back: what the app keeps
   * is in its files and in the saved state of its activities.
   */
  private void loseProcess(long at) {
    stack.goHome();
    quiescence.settle();
    if (crashes.isDead()) return;
    byte[] saved = stack.save();
    process.keepData();
    long uptime = SystemClock.uptimeMillis();
    Permissions oldPermissions = permissions;
    DisplayState oldDisplay = display;
    boolean wasCreated = process.isCreated();
    List<Map<String, Object>> before = happened();
    endProcess();
    AppRuntime.beginProcess();
    beginProcess(uptime);
    events.addAll(before);
    if (actions == null) return;
    Gate.action(at);
    permissions.restore(oldPermissions);
    display.restore(oldDisplay);
    if (!wasCreated) return;
    process.create();
    stack.restore(saved);
  }

  private Intent launcher() {
    if (launcher == null) throw new RequestError(RequestError.BAD_REQUEST, "the app has no launcher activity");
    return launcher;
  }

  private Intent findLauncher() {
    Intent query = new Intent(Intent.ACTION_MAIN).addCategory(Intent.CATEGORY_LAUNCHER).setPackage(appPackage);
    PackageManager manager = process.application().getPackageManager();
    List<ResolveInfo> found = manager.queryIntentActivities(query, 0);
    if (found.isEmpty()) return null;
    ComponentName component = new ComponentName(appPackage, found.get(0).activityInfo.name);
    return new Intent(Intent.ACTION_MAIN).addCategory(Intent.CATEGORY_LAUNCHER).setComponent(component);
  }

  @Override
  public Map<String, Object> perform(Map<String, Object> action, long at) {
    if (process == null) throw new RequestError(RequestError.BAD_REQUEST, "no app is open");
    boolean diedAtReset = actions == null;
    if (!diedAtReset && crashes.isDead()) throw new RequestError(RequestError.BAD_REQUEST, "the app is dead: reset it");
    if (!diedAtReset) run(action, at);
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("happened", happened());
    result.put("now_ms", SystemClock.uptimeMillis());
    return result;
  }

  private void run(Map<String, Object> action, long at) {
    Gate.action(at);
    try {
      if ("process_death".equals(action.get("kind"))) loseProcess(at);
      else actions.perform(action);
      quiescence.settle();
      if (actions != null && actions.makeRoomForKeyboard()) quiescence.settle();
      Drawing.finish();
    } catch (RequestError e) {
      throw e;
    } catch (RuntimeException | Error e) {
      crashes.uncaught("main", e);
    }
    if (crashes.isDead()) return;
    log.drainToasts(process.application());
  }

  /** The log comes first where its order against the other events is not known. */
  private List<Map<String, Object>> happened() {
    List<Map<String, Object>> own = events.take();
    log.drain();
    List<Map<String, Object>> all = events.take();
    all.addAll(own);
    return all;
  }

  @Override
  public Map<String, Object> observe() {
    if (process == null) throw new RequestError(RequestError.BAD_REQUEST, "no app is open");
    Map<String, Object> result = new LinkedHashMap<>();
    if (stack == null || crashes.isDead()) return observeDead();
    try {
      result.put("screen", new ScreenReader(display, appPackage).read(stack, actions));
    } catch (RuntimeException | Error e) {
      // The app's own view code ran while the screen was read.
      crashes.uncaught("main", e);
    }
    if (crashes.isDead()) {
      result.putAll(observeDead());
      result.put("happened", happened());
    }
    return result;
  }

  @Override
  public Map<String, Object> observeDead() {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("screen", ScreenReader.home(profile.width, profile.height, 0));
    return result;
  }

  @Override
  public byte[] screenshot() {
    if (process == null) throw new RequestError(RequestError.BAD_REQUEST, "no app is open");
    DisplayState state = display != null ? display : new DisplayState(profile);
    return Screenshot.take(stack == null || crashes.isDead() ? null : stack, actions, state);
  }

  private Error notResponding() {
    String stack = StackText.of(new Throwable());
    crashes.died(
        "anr",
        "main",
        "android.app.ApplicationNotResponding: the main thread has waited for 5 s"
            + stack.substring(stack.indexOf('\n')));
    return new ProcessExit();
  }

  /** A run that holds this line in its log need not come out the same again. */
  private void leftToChance(String why) {
    events.add("log", "level", "W", "tag", "marmoset", "message", "the order of threads is left to chance: " + why);
  }

  @Override
  public List<Long> newHits() {
    Coverage current = coverage;
    if (current == null) throw new RequestError(RequestError.BAD_REQUEST, "the app has no probes");
    return current.newHits();
  }

  @Override
  public List<Map<String, Object>> onDeath(String cause, String thread, String stack) {
    Crashes current = crashes;
    if (current != null) current.died(cause, thread, stack);
    return events.take();
  }

  @Override
  public boolean isApp(String className) {
    return jar != null && jar.get(className.replace('.', '/') + ".class") != null;
  }

  /** Takes the app's wishes from the activity shadow to the stack. */
  private final class StackListener implements HostShadowActivity.Listener {
    @Override
    public void finishing() {
      stack.finishing();
    }

    @Override
    public void finishAffinity(Activity activity) {
      stack.finishAffinity(activity);
    }

    @Override
    public void recreate(Activity activity) {
      stack.recreate(activity);
    }

    /** Later, as on a phone: the app may ask while its views are measured, and the turn gives it new ones. */
    @Override
    public void orientation(Activity activity) {
      new Handler(Looper.getMainLooper())
          .post(
              () -> {
                ActivityRecord top = stack.top();
                if (top != null && top.activity() == activity) display.onTopChanged(activity);
              });
    }

    @Override
    public void moveToBack() {
      stack.goHome();
    }
  }
}
