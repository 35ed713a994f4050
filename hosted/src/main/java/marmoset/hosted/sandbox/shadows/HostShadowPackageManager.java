package marmoset.hosted.sandbox.shadows;

import android.app.Application;
import android.app.ApplicationPackageManager;
import android.content.pm.ApplicationInfo;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.content.pm.PackageManager.NameNotFoundException;
import android.os.IRemoteCallback;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowApplicationPackageManager;
import org.robolectric.versioning.AndroidVersions.T;
import org.robolectric.versioning.AndroidVersions.V;

/**
 * Answers the two most frequent questions about the app itself without the copy of its whole package description that
 * Robolectric makes for each of them: an app with 300 activities needs seconds to label them otherwise. And knows where
 * advertisers' code would run, which Android 15 asks about an activity within another.
 */
@Implements(value = ApplicationPackageManager.class, isInAndroidSdk = false)
public class HostShadowPackageManager extends ShadowApplicationPackageManager {
  @Override
  @Implementation
  protected ApplicationInfo getApplicationInfo(String packageName, int flags) throws NameNotFoundException {
    PackageInfo own = isApp(packageName) ? getInternalMutablePackageInfo(packageName) : null;
    if (own == null || own.applicationInfo == null) return super.getApplicationInfo(packageName, flags);
    ApplicationInfo copy = new ApplicationInfo(own.applicationInfo);
    if ((flags & PackageManager.GET_META_DATA) == 0) copy.metaData = null;
    return copy;
  }

  @Override
  @Implementation
  protected CharSequence getText(String packageName, int resId, ApplicationInfo info) {
    if (!isApp(packageName)) return super.getText(packageName, resId, info);
    try {
      return RuntimeEnvironment.application.getResources().getText(resId);
    } catch (android.content.res.Resources.NotFoundException e) {
      return null;
    }
  }

  @Implementation(minSdk = T.SDK_INT)
  protected String getSdkSandboxPackageName() {
    return "com.google.android.sdksandbox";
  }

  /** No package comes or goes while the device is up. */
  @Implementation(minSdk = V.SDK_INT)
  protected void registerPackageMonitorCallback(IRemoteCallback callback, int user) {}

  @Implementation(minSdk = V.SDK_INT)
  protected void unregisterPackageMonitorCallback(IRemoteCallback callback) {}

  private static boolean isApp(String packageName) {
    Application application = RuntimeEnvironment.application;
    return application != null
        && application.getBaseContext() != null
        && application.getPackageName().equals(packageName);
  }
}
