package marmoset.hosted.sandbox;

import android.content.pm.ApplicationInfo;
import android.graphics.Compatibility;
import android.os.AsyncTask;
import android.os.Build.VERSION;
import android.os.Message;
import android.os.StrictMode;
import android.util.UtilConfig;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.versioning.AndroidVersions.N;
import org.robolectric.versioning.AndroidVersions.P;
import org.robolectric.versioning.AndroidVersions.Q;

/**
 * What the system sets in an app's process by the SDK level that the app was made for, before any of its code runs
 * (ActivityThread.handleBindApplication, which Robolectric does without). Most of it decides what is a crash: the network on
 * the main thread, a file's address in an intent, an index beyond an ArrayMap, a clip that grows.
 */
final class TargetSdk {
  private static final int HONEYCOMB = 11;
  private static final int HONEYCOMB_MR1 = 12;

  private TargetSdk() {}

  /** Main thread. */
  static void apply(ApplicationInfo app) {
    int target = app.targetSdkVersion;
    // Tasks of such apps run beside each other.
    if (target <= HONEYCOMB_MR1) AsyncTask.setDefaultExecutor(AsyncTask.THREAD_POOL_EXECUTOR);
    Message.updateCheckRecycle(target);
    if (VERSION.SDK_INT >= Q.SDK_INT) {
      UtilConfig.setThrowExceptionForUpperArrayOutOfBounds(target >= Q.SDK_INT);
      Compatibility.setTargetSdkVersion(target);
    }
    if (VERSION.SDK_INT >= P.SDK_INT) {
      StrictMode.initThreadDefaults(app);
      StrictMode.initVmDefaults(app);
    } else {
      if (target >= HONEYCOMB) ReflectionHelpers.callStaticMethod(StrictMode.class, "enableDeathOnNetwork");
      if (VERSION.SDK_INT >= N.SDK_INT && target >= N.SDK_INT) StrictMode.enableDeathOnFileUriExposure();
    }
  }
}
