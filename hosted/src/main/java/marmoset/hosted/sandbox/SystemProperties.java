package marmoset.hosted.sandbox;

import android.os.Build;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;

/**
 * What System.getProperty and getenv tell the app: a phone's values, of which the app may change its own copy. Any
 * thread.
 */
final class SystemProperties {
  static final Map<String, String> ENVIRONMENT =
      Map.of(
          "ANDROID_ROOT", "/system",
          "ANDROID_DATA", "/data",
          "ANDROID_STORAGE", "/storage",
          "ANDROID_ART_ROOT", "/apex/com.android.art",
          "ANDROID_I18N_ROOT", "/apex/com.android.i18n",
          "ANDROID_TZDATA_ROOT", "/apex/com.android.tzdata",
          "ANDROID_ASSETS", "/system/app",
          "EXTERNAL_STORAGE", "/sdcard",
          "DOWNLOAD_CACHE", "/data/cache",
          "PATH", "/product/bin:/apex/com.android.runtime/bin:/system/bin:/odm/bin:/vendor/bin");

  private static volatile Properties properties = new Properties();

  private SystemProperties() {}

  /** A new process of the app. */
  static void begin(DeviceProfile profile, Path temporary) {
    Properties all = new Properties();
    String[] values = {
      "java.vm.name", "Dalvik",
      "java.vm.version", "2.1.0",
      "java.vm.vendor", "The Android Project",
      "java.vm.vendor.url", "http://www.android.com/",
      "java.vm.specification.name", "Dalvik Virtual Machine Specification",
      "java.vm.specification.vendor", "The Android Project",
      "java.vm.specification.version", "0.9",
      "java.specification.name", "Dalvik Core Library",
      "java.specification.vendor", "The Android Project",
      "java.specification.version", "0.9",
      "java.runtime.name", "Android Runtime",
      "java.runtime.version", "0.9",
      "java.version", "0",
      "java.vendor", "The Android Project",
      "java.vendor.url", "http://www.android.com/",
      "java.class.version", "50.0",
      "java.class.path", ".",
      "java.boot.class.path", "/apex/com.android.art/javalib/core-oj.jar:/system/framework/framework.jar",
      "java.compiler", "",
      "java.ext.dirs", "",
      "java.home", "/apex/com.android.art",
      "java.library.path", "/system/lib64:/vendor/lib64",
      "java.net.preferIPv6Addresses", "false",
      "java.io.tmpdir", temporary.toString(),
      "os.name", "Linux",
      "os.arch", "aarch64",
      "os.version", DeviceProfile.KERNEL,
      "user.name", "root",
      "user.home", "",
      "user.dir", "/",
      "user.language", profile.locale.split("-")[0],
      "user.region", profile.locale.contains("-") ? profile.locale.split("-")[1] : "",
      "file.encoding", "UTF-8",
      "file.separator", "/",
      "path.separator", ":",
      "line.separator", "\n",
      "http.agent", "Dalvik/2.1.0 (Linux; U; Android " + DeviceProfile.release() + "; " + Build.MODEL + " Build/UP1A.231005.007)",
    };
    for (int i = 0; i < values.length; i += 2) all.setProperty(values[i], values[i + 1]);
    properties = all;
  }

  static String get(String key) {
    if (key == null) throw new NullPointerException("key == null");
    if (key.isEmpty()) throw new IllegalArgumentException("key is empty");
    return properties.getProperty(key);
  }

  static Properties all() {
    return properties;
  }

  static void set(Properties wanted) {
    properties = wanted == null ? new Properties() : wanted;
  }
}
