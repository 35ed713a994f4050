package marmoset.hosted.sandbox;

import android.app.ActivityThread;
import android.app.Application;
import android.content.BroadcastReceiver;
import android.content.ContentProvider;
import android.content.Context;
import android.content.IntentFilter;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.content.pm.PackageParser;
import android.content.pm.ProviderInfo;
import android.database.sqlite.SQLiteDatabase;
import android.hardware.SensorManager;
import android.os.Build;
import android.os.Environment;
import android.os.StrictMode;
import android.os.SystemClock;
import androidx.test.platform.app.InstrumentationRegistry;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import marmoset.hosted.gate.Gate;
import marmoset.hosted.gate.PhoneFiles;
import marmoset.hosted.sandbox.shadows.HostShadowAlarmManager;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.android.Bootstrap;
import org.robolectric.annotation.Config;
import org.robolectric.internal.AndroidSandbox;
import org.robolectric.nativeruntime.DefaultNativeRuntimeLoader;
import org.robolectric.pluginapi.config.ConfigurationStrategy;
import org.robolectric.pluginapi.config.Configurer;
import org.robolectric.shadows.ShadowChoreographer;
import org.robolectric.shadows.ShadowContentResolver;
import org.robolectric.shadows.ShadowMediaPlayer;
import org.robolectric.shadows.ShadowSystemClock;
import org.robolectric.shadows.ShadowView;
import org.robolectric.util.TempDirectory;
import org.robolectric.util.inject.Injector;
import org.robolectric.versioning.AndroidVersions.T;
import org.robolectric.versioning.AndroidVersions.V;

/**
 * One life of the app's process: Robolectric's state is set up for it, and torn down before the next. Main thread.
 *
 * <p>The order is Android's: the Application object exists and is attached first, then the content providers are
 * created, then Application.onCreate runs; the last two at the first launch.
 */
final class AppProcess {
  private static final int FRAME_MS = 16;
  private static final Field ACTIVE_DATABASES = Fields.of(SQLiteDatabase.class, "sActiveDatabases");

  private final AndroidSandbox sandbox;
  private final HostManifest manifest;
  private final Path dataDir;
  private final Gate.World clock;
  private boolean up;
  private boolean created;

  AppProcess(AndroidSandbox sandbox, Path apk, Path dataDir, Gate.World clock) {
    this.clock = clock;
    this.sandbox = sandbox;
    this.manifest = new HostManifest(apk);
    this.dataDir = dataDir;
  }

  /** The next process finds the files as they are now. */
  void keepData() {
    DataFolder.keep(folder());
  }

  /**
   * Sets up a new process, with empty data or those that were kept; the device has been up for so long. Exceptions of the
   * app (its Application's constructor) pass through.
   */
  void begin(DeviceProfile profile, long uptimeMillis) {
    created = false;
    up = true;
    // Robolectric finds its own services through this loader; the app, from its first instruction on, finds its own.
    Thread.currentThread().setContextClassLoader(sandbox.getRobolectricClassLoader());
    sandbox.getTestEnvironment().setUpApplicationState("device", configuration(profile), manifest);
    useDataDir();
    long passed = uptimeMillis - SystemClock.uptimeMillis();
    if (passed > 0) ShadowSystemClock.advanceBy(Duration.ofMillis(passed));
    ShadowView.setUseRealViewAnimations(true);
    ShadowChoreographer.setFrameDelay(Duration.ofMillis(FRAME_MS));
    ShadowChoreographer.setPaused(true);
    // Every sound the app names can be played: a second of silence.
    ShadowMediaPlayer.setMediaInfoProvider(source -> new ShadowMediaPlayer.MediaInfo(1000, 0));
    HostShadowAlarmManager.begin();
    profile.apply();
    Bootstrap.setUpDisplay();
    ExactDisplay.set(profile.appWidth(false), profile.appHeight(false));
    // The native graphics look for their data through the context loader too, and load only once.
    DefaultNativeRuntimeLoader.injectAndLoad();
    Thread.currentThread().setContextClassLoader(AppClasses.loader());
    TargetSdk.apply(manifest.parsed().applicationInfo);
    RuntimeEnvironment.getApplication();
    // From Android 15 on an activity within another asks the system's context, which a phone always has.
    if (Build.VERSION.SDK_INT >= V.SDK_INT) ActivityThread.currentActivityThread().getSystemContext();
    givePhone(profile);
  }

  /** The files and properties of a phone. */
  private void givePhone(DeviceProfile profile) {
    Application application = application();
    PhoneFiles.begin(
        Path.of(System.getProperty("marmoset.phone")),
        RuntimeEnvironment.getTempDirectory().getBasePath(),
        application.getPackageCodePath(),
        application.getPackageName(),
        Path.of(application.getApplicationInfo().dataDir),
        Environment.getExternalStorageDirectory().toPath(),
        clock);
    SystemProperties.begin(profile, application.getCacheDir().toPath());
    DeviceProfile.giveFeatures(application.getPackageManager());
    profile.giveSensors(application.getSystemService(SensorManager.class));
    SystemTables.begin(application);
    Contacts.begin(application, profile.contacts());
    if (profile.isAndroid4()) HoloTheme.apply(application);
  }

  /** The app's files lie in the same place in every run, since an app may show a path. */
  private void useDataDir() {
    TempDirectory directory = RuntimeEnvironment.getTempDirectory();
    DataFolder.moveTo(directory, folder());
    DataFolder.restore(folder());
  }

  private Path folder() {
    return dataDir.resolve("device");
  }

  /** Whether a process has begun and not ended. */
  boolean isUp() {
    return up;
  }

  /** Ends the process. What the app left behind may throw; that must not stop the next process. */
  void end(Events events) {
    up = false;
    closeDatabases();
    try {
      sandbox.getTestEnvironment().resetState();
    } catch (RuntimeException | Error e) {
      events.add("log", "level", "W", "tag", "marmoset", "message", "reset: " + e);
      // Robolectric stops at the first failure of each shadow, not of all; a second run resets the rest.
      sandbox.getTestEnvironment().resetState();
    }
    StrictMode.setVmPolicy(StrictMode.VmPolicy.LAX);
    Windows.clear();
    ClassCaches.forgetApp();
  }

  /** A dead process holds no files open; the framework would close them only when their objects are collected. */
  private static void closeDatabases() {
    Map<?, ?> active = (Map<?, ?>) Fields.get(ACTIVE_DATABASES, null);
    List<Object> databases;
    synchronized (active) {
      databases = new ArrayList<>(active.keySet());
    }
    for (Object database : databases) {
      try {
        SQLiteDatabase open = (SQLiteDatabase) database;
        while (open.isOpen()) open.releaseReference();
      } catch (RuntimeException e) {
        // The app may have left it in any state.
      }
    }
  }

  boolean isCreated() {
    return created;
  }

  Application application() {
    return RuntimeEnvironment.getApplication();
  }

  HostInstrumentation instrumentation() {
    return (HostInstrumentation) InstrumentationRegistry.getInstrumentation();
  }

  /** Creates the content providers, calls Application.onCreate and registers the manifest's receivers. */
  void create() {
    created = true;
    Application application = application();
    createProviders(application);
    Wrapped.run(
        () -> "Unable to create application " + application.getClass().getName(),
        () -> instrumentation().createApplication(application));
    registerReceivers(application);
  }

  private void createProviders(Application application) {
    PackageInfo info;
    try {
      info = application.getPackageManager().getPackageInfo(application.getPackageName(), PackageManager.GET_PROVIDERS);
    } catch (PackageManager.NameNotFoundException e) {
      throw new IllegalStateException(e);
    }
    if (info.providers == null) return;
    List<ProviderInfo> providers = new ArrayList<>(List.of(info.providers));
    providers.sort((a, b) -> Integer.compare(b.initOrder, a.initOrder));
    for (ProviderInfo provider : providers) {
      if (!provider.enabled) continue;
      try {
        ContentProvider instance =
            AppClasses.forName(provider.name).asSubclass(ContentProvider.class).getDeclaredConstructor().newInstance();
        Wrapped.run(
            () -> "Unable to get provider " + provider.name, () -> instance.attachInfo(application, provider));
        for (String authority : String.valueOf(provider.authority).split(";")) {
          ShadowContentResolver.registerProviderInternal(authority, instance);
        }
      } catch (ReflectiveOperationException e) {
        throw new RuntimeException("Unable to get provider " + provider.name + ": " + e, e);
      }
    }
  }

  private void registerReceivers(Application application) {
    for (PackageParser.Activity receiver : manifest.parsed().receivers) {
      if (!receiver.info.enabled) continue;
      BroadcastReceiver instance = newReceiver(receiver.info.name);
      // Without a filter it hears what is sent to it by name.
      if (receiver.intents.isEmpty()) register(application, instance, new IntentFilter());
      for (PackageParser.ActivityIntentInfo filter : receiver.intents) {
        register(application, instance, new IntentFilter(filter));
      }
    }
  }

  private static void register(Application application, BroadcastReceiver receiver, IntentFilter filter) {
    if (Build.VERSION.SDK_INT >= T.SDK_INT) {
      application.registerReceiver(receiver, filter, Context.RECEIVER_EXPORTED);
    } else {
      application.registerReceiver(receiver, filter);
    }
  }

  private static BroadcastReceiver newReceiver(String className) {
    try {
      return AppClasses.forName(className).asSubclass(BroadcastReceiver.class).getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new RuntimeException("Unable to instantiate receiver " + className + ": " + e, e);
    }
  }

  private static ConfigurationStrategy.Configuration configuration(DeviceProfile profile) {
    Map<Class<?>, Object> values = Modes.all();
    values.put(Config.class, new Config.Builder(defaults()).setQualifiers(profile.qualifiers(false)).build());
    return new FixedConfiguration(values);
  }

  private static Config defaults() {
    Injector injector = new Injector.Builder().bind(Properties.class, System.getProperties()).build();
    for (Configurer<?> configurer : injector.getInstance(Configurer[].class)) {
      if (configurer.getConfigClass().equals(Config.class)) return (Config) configurer.defaultConfig();
    }
    throw new IllegalStateException("Robolectric has no default configuration");
  }

  private record FixedConfiguration(Map<Class<?>, Object> values) implements ConfigurationStrategy.Configuration {
    @Override
    public <T> T get(Class<T> type) {
      return type.cast(values.get(type));
    }

    @Override
    public com.google.common.collect.ImmutableSet<Class<?>> keySet() {
      return com.google.common.collect.ImmutableSet.copyOf(values.keySet());
    }

    @Override
    public com.google.common.collect.ImmutableMap<Class<?>, Object> map() {
      return com.google.common.collect.ImmutableMap.copyOf(values);
    }
  }
}
