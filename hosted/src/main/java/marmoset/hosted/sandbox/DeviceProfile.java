package marmoset.hosted.sandbox;

import android.content.pm.FeatureInfo;
import android.content.pm.PackageManager;
import android.hardware.Camera;
import android.hardware.Sensor;
import android.hardware.SensorManager;
import android.os.Build;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import marmoset.hosted.RequestError;
import marmoset.hosted.sandbox.shadows.HostShadowUrlSpan;
import org.robolectric.Shadows;
import org.robolectric.shadows.ShadowCamera;
import org.robolectric.shadows.ShadowPackageManager;
import org.robolectric.shadows.ShadowSensor;
import org.robolectric.shadows.ShadowSensorManager;
import org.robolectric.util.ReflectionHelpers;

/**
 * The phone that the app believes it runs on. The display's bars are outside the app's area: Robolectric is given the
 * area between them, and the protocol's coordinates are shifted at the border ({@link #statusBar}).
 */
final class DeviceProfile {
  /** As /proc/version says, too. */
  static final String KERNEL = "4.9.270-g862f51bac900-ab7613625";

  final int width;
  final int height;
  final int density;
  final int statusBar;
  final int navigationBar;
  final String locale;
  final String timeZone;
  final long epochMillis;

  /** The soft keyboard is on the screen and takes taps on its keys; else text comes by the action for it alone. */
  final boolean keyboardDrawn;

  /** The Android, by its SDK level, whose look and manners the phone has where they matter to a recording; 0: our own. */
  private final int mannersSdk;

  /** Other apps do not open; what asks for their result hears "cancelled" at once, as under Android's Monkey. */
  final boolean neighboursBlocked;

  /** Fields of android.os.Build, in lower case, where they differ from ours. */
  private final Map<?, ?> build;

  private final List<String> abis;

  /** Names of Sensor's types, without TYPE_, in lower case. */
  private final List<String> sensors;

  private final List<Contacts.Person> contacts;

  /** Those that answer the app's intents, by their names in the protocol; null: all. */
  private final List<String> otherApps;

  /**
   * Reads the protocol's profile object (docs/formats/device_profile.md); throws RequestError(bad_request) for values no
   * phone has.
   */
  DeviceProfile(Map<?, ?> profile) {
    Map<?, ?> display = profile.get("display") instanceof Map<?, ?> map ? map : Map.of();
    width = number(display, "width", 1080);
    height = number(display, "height", 1920);
    density = number(display, "density", 420);
    statusBar = number(display, "status_bar", 63);
    navigationBar = number(display, "navigation_bar", 0);
    locale = text(profile, "locale", "en-US");
    timeZone = text(profile, "time_zone", "UTC");
    keyboardDrawn = text(profile, "keyboard", "").equals("drawn");
    mannersSdk = number(profile, "manners_sdk", 0);
    neighboursBlocked = text(profile, "leaving", "stub").equals("canceled");
    build = profile.get("build") instanceof Map<?, ?> map ? map : Map.of();
    abis = texts(profile, "abis", List.of("arm64-v8a", "armeabi-v7a", "armeabi"));
    sensors = texts(profile, "sensors", List.of("accelerometer", "magnetic_field", "gyroscope", "light", "proximity"));
    otherApps = texts(profile, "other_apps", null);
    contacts = profile.get("contacts") instanceof List<?> list ? list.stream().map(DeviceProfile::person).toList() : CONTACTS;
    if (!List.of(TimeZone.getAvailableIDs()).contains(timeZone)) {
      throw new RequestError(RequestError.BAD_REQUEST, "profile: no time zone has the name " + timeZone);
    }
    epochMillis = instant(text(profile, "wall_clock", "2023-11-14T22:13:20Z"));
    if (width < 100 || height < 100 || width > 8192 || height > 8192 || density < 72 || density > 960) {
      throw new RequestError(RequestError.BAD_REQUEST, "profile: no phone has such a display");
    }
    if (statusBar < 0 || navigationBar < 0 || statusBar + navigationBar > height / 2) {
      throw new RequestError(RequestError.BAD_REQUEST, "profile: the bars leave no room");
    }
  }

  /** Where the profile does not say otherwise. */
  private static final List<Contacts.Person> CONTACTS =
      List.of(
          new Contacts.Person("Ada Example", "+1 202-555-0101", "ada@example.org"),
          new Contacts.Person("Ben Example", "+1 202-555-0102", "ben@example.org"),
          new Contacts.Person("Cleo Example", "", ""));

  private static Contacts.Person person(Object entry) {
    Map<?, ?> map = entry instanceof Map<?, ?> known ? known : Map.of();
    return new Contacts.Person(text(map, "name", ""), text(map, "phone", ""), text(map, "email", ""));
  }

  List<Contacts.Person> contacts() {
    return contacts;
  }

  /** Whether it looks and behaves like Android 4. */
  boolean isAndroid4() {
    return mannersSdk > 0 && mannersSdk < 21;
  }

  private static int number(Map<?, ?> profile, String key, int fallback) {
    return profile.get(key) instanceof Number number ? number.intValue() : fallback;
  }

  private static long instant(String text) {
    try {
      return Instant.parse(text).toEpochMilli();
    } catch (DateTimeParseException e) {
      throw new RequestError(RequestError.BAD_REQUEST, "profile: no instant: " + text, e);
    }
  }

  private static String text(Map<?, ?> profile, String key, String fallback) {
    return profile.get(key) instanceof String string ? string : fallback;
  }

  private static List<String> texts(Map<?, ?> profile, String key, List<String> fallback) {
    return profile.get(key) instanceof List<?> list ? list.stream().map(String::valueOf).toList() : fallback;
  }

  private static final String[] FEATURES = {
    PackageManager.FEATURE_AUDIO_OUTPUT,
    PackageManager.FEATURE_BLUETOOTH,
    PackageManager.FEATURE_CAMERA,
    PackageManager.FEATURE_CAMERA_ANY,
    PackageManager.FEATURE_CAMERA_AUTOFOCUS,
    PackageManager.FEATURE_FAKETOUCH,
    PackageManager.FEATURE_INPUT_METHODS,
    PackageManager.FEATURE_LOCATION,
    PackageManager.FEATURE_LOCATION_GPS,
    PackageManager.FEATURE_MICROPHONE,
    PackageManager.FEATURE_SCREEN_LANDSCAPE,
    PackageManager.FEATURE_SCREEN_PORTRAIT,
    PackageManager.FEATURE_SENSOR_ACCELEROMETER,
    PackageManager.FEATURE_TELEPHONY,
    PackageManager.FEATURE_TOUCHSCREEN,
    PackageManager.FEATURE_TOUCHSCREEN_MULTITOUCH,
    PackageManager.FEATURE_WIFI,
  };

  private static final int OPENGL_ES_3_2 = 0x30002;

  /** What the package manager says that the phone has. */
  static void giveFeatures(PackageManager manager) {
    ShadowPackageManager shadow = Shadows.shadowOf(manager);
    for (String name : FEATURES) {
      FeatureInfo feature = new FeatureInfo();
      feature.name = name;
      shadow.addSystemAvailableFeature(feature);
      shadow.setSystemFeature(name, true);
    }
    FeatureInfo graphics = new FeatureInfo();
    graphics.reqGlEsVersion = OPENGL_ES_3_2;
    shadow.addSystemAvailableFeature(graphics);
  }

  static String release() {
    return Build.VERSION.RELEASE;
  }

  /** The app's area in pixels, for an upright or a turned phone. */
  int appWidth(boolean turned) {
    return turned ? height : width;
  }

  int appHeight(boolean turned) {
    return (turned ? width : height) - statusBar - navigationBar;
  }

  /** Resource qualifiers of the display, as Robolectric takes them. */
  String qualifiers(boolean turned) {
    int widthDp = appWidth(turned) * 160 / density;
    int heightDp = appHeight(turned) * 160 / density;
    int smallest = Math.min(appWidth(false), appHeight(false)) * 160 / density;
    return localeQualifier()
        + ("-sw" + smallest + "dp-w" + widthDp + "dp-h" + heightDp + "dp")
        + (turned ? "-land" : "-port")
        + ("-" + density + "dpi");
  }

  private String localeQualifier() {
    String[] parts = locale.split("-");
    return parts.length > 1 ? parts[0] + "-r" + parts[1] : parts[0];
  }

  /** Sets what Robolectric leaves empty. REQUIRES: the framework is up. */
  void apply() {
    TimeZone.setDefault(TimeZone.getTimeZone(timeZone));
    boolean is64Bit = abis.stream().anyMatch(abi -> abi.contains("64"));
    setBuild("SUPPORTED_ABIS", abis.toArray(new String[0]));
    setBuild("SUPPORTED_64_BIT_ABIS", abis.stream().filter(abi -> abi.contains("64")).toArray(String[]::new));
    setBuild("SUPPORTED_32_BIT_ABIS", abis.stream().filter(abi -> !abi.contains("64")).toArray(String[]::new));
    setBuild("CPU_ABI", abis.get(0));
    setBuild("CPU_ABI2", is64Bit || abis.size() < 2 ? "" : abis.get(1));
    for (int i = 0; i < BUILD.length; i += 2) {
      setBuild(BUILD[i], text(build, BUILD[i].toLowerCase(Locale.ROOT), BUILD[i + 1]));
    }
    setBuild("TAGS", "release-keys");
    setBuild("TYPE", "user");
    Neighbours.setPresent(otherApps);
    HostShadowUrlSpan.setCrashes(isAndroid4());
    giveCamera(0, Camera.CameraInfo.CAMERA_FACING_BACK, 90);
    giveCamera(1, Camera.CameraInfo.CAMERA_FACING_FRONT, 270);
  }

  /** What the app reads when it asks for the phone's model, where the profile does not say otherwise. */
  private static final String[] BUILD = {
    "MANUFACTURER", "Google",
    "BRAND", "google",
    "MODEL", "Pixel",
    "DEVICE", "sailfish",
    "PRODUCT", "sailfish",
    "BOARD", "sailfish",
    "HARDWARE", "sailfish",
    "FINGERPRINT", "google/sailfish/sailfish:" + release() + "/UP1A.231005.007/1:user/release-keys",
  };

  private static void setBuild(String field, Object value) {
    ReflectionHelpers.setStaticField(Build.class, field, value);
  }

  /** The sensors that the app finds; they never report anything. REQUIRES: the application is there. */
  void giveSensors(SensorManager manager) {
    ShadowSensorManager shadow = Shadows.shadowOf(manager);
    for (String name : sensors) {
      int type = ReflectionHelpers.getStaticField(Sensor.class, "TYPE_" + name.toUpperCase(Locale.ROOT));
      Sensor sensor = ShadowSensor.newInstance(type);
      ReflectionHelpers.setField(sensor, "mName", name.replace('_', ' '));
      ReflectionHelpers.setField(sensor, "mVendor", text(build, "manufacturer", BUILD[1]));
      ReflectionHelpers.setField(sensor, "mStringType", "android.sensor." + name);
      ReflectionHelpers.setField(sensor, "mVersion", 1);
      ReflectionHelpers.setField(sensor, "mPower", 0.5f);
      ReflectionHelpers.setField(sensor, "mResolution", 0.01f);
      ReflectionHelpers.setField(sensor, "mMaxRange", 100f);
      ReflectionHelpers.setField(sensor, "mMinDelay", 10_000);
      shadow.addSensor(sensor);
    }
  }

  private static void giveCamera(int id, int facing, int orientation) {
    Camera.CameraInfo info = new Camera.CameraInfo();
    info.facing = facing;
    info.orientation = orientation;
    ShadowCamera.addCameraInfo(id, info);
  }
}
