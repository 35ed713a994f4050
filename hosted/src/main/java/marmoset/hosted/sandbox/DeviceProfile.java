package marmoset.hosted.sandbox;

import android.content.pm.FeatureInfo;
import android.content.pm.PackageManager;
import android.hardware.Camera;
import android.os.Build;
import java.util.Map;
import java.util.TimeZone;
import marmoset.hosted.RequestError;
import marmoset.hosted.sandbox.shadows.HostShadowUrlSpan;
import org.robolectric.Shadows;
import org.robolectric.shadows.ShadowCamera;
import org.robolectric.shadows.ShadowPackageManager;
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

  /** Reads the protocol's profile object; throws RequestError(bad_request) for values no phone has. */
  DeviceProfile(Map<?, ?> profile) {
    width = number(profile, "width", 1080);
    height = number(profile, "height", 1920);
    density = number(profile, "density", 420);
    statusBar = number(profile, "status_bar", 63);
    navigationBar = number(profile, "navigation_bar", 0);
    locale = text(profile, "locale", "en-US");
    timeZone = text(profile, "time_zone", "UTC");
    keyboardDrawn = text(profile, "keyboard", "").equals("drawn");
    mannersSdk = number(profile, "manners_sdk", 0);
    neighboursBlocked = text(profile, "neighbours", "stub").equals("canceled");
    Object epoch = profile.get("epoch_ms");
    epochMillis = epoch instanceof Number number ? number.longValue() : 1_700_000_000_000L;
    if (width < 100 || height < 100 || width > 8192 || height > 8192 || density < 72 || density > 960) {
      throw new RequestError(RequestError.BAD_REQUEST, "profile: no phone has such a display");
    }
    if (statusBar < 0 || navigationBar < 0 || statusBar + navigationBar > height / 2) {
      throw new RequestError(RequestError.BAD_REQUEST, "profile: the bars leave no room");
    }
  }

  /** Whether it looks and behaves like Android 4. */
  boolean isAndroid4() {
    return mannersSdk > 0 && mannersSdk < 21;
  }

  private static int number(Map<?, ?> profile, String key, int fallback) {
    return profile.get(key) instanceof Number number ? number.intValue() : fallback;
  }

  private static String text(Map<?, ?> profile, String key, String fallback) {
    return profile.get(key) instanceof String string ? string : fallback;
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
    String[] abis = {"arm64-v8a", "armeabi-v7a", "armeabi"};
    ReflectionHelpers.setStaticField(Build.class, "SUPPORTED_ABIS", abis);
    ReflectionHelpers.setStaticField(Build.class, "SUPPORTED_64_BIT_ABIS", new String[] {"arm64-v8a"});
    ReflectionHelpers.setStaticField(Build.class, "SUPPORTED_32_BIT_ABIS", new String[] {"armeabi-v7a", "armeabi"});
    ReflectionHelpers.setStaticField(Build.class, "CPU_ABI", "arm64-v8a");
    ReflectionHelpers.setStaticField(Build.class, "CPU_ABI2", "");
    ReflectionHelpers.setStaticField(Build.class, "MANUFACTURER", "Google");
    ReflectionHelpers.setStaticField(Build.class, "BRAND", "google");
    ReflectionHelpers.setStaticField(Build.class, "MODEL", "Pixel");
    ReflectionHelpers.setStaticField(Build.class, "DEVICE", "sailfish");
    ReflectionHelpers.setStaticField(Build.class, "PRODUCT", "sailfish");
    ReflectionHelpers.setStaticField(Build.class, "BOARD", "sailfish");
    ReflectionHelpers.setStaticField(Build.class, "HARDWARE", "sailfish");
    ReflectionHelpers.setStaticField(Build.class, "TAGS", "release-keys");
    ReflectionHelpers.setStaticField(Build.class, "TYPE", "user");
    ReflectionHelpers.setStaticField(
        Build.class, "FINGERPRINT", "google/sailfish/sailfish:14/UP1A.231005.007/1:user/release-keys");
    HostShadowUrlSpan.setCrashes(isAndroid4());
    giveCamera(0, Camera.CameraInfo.CAMERA_FACING_BACK, 90);
    giveCamera(1, Camera.CameraInfo.CAMERA_FACING_FRONT, 270);
  }

  private static void giveCamera(int id, int facing, int orientation) {
    Camera.CameraInfo info = new Camera.CameraInfo();
    info.facing = facing;
    info.orientation = orientation;
    ShadowCamera.addCameraInfo(id, info);
  }
}
