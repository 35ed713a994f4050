package marmoset.hosted.sandbox.shadows;

import android.app.Application;
import android.app.Instrumentation;
import android.app.LoadedApk;
import marmoset.hosted.sandbox.AppClasses;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadows.ShadowLoadedApk;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.versioning.AndroidVersions.Sv2;

/** The app's classes come from the app's own class loader, not from the sandbox's. */
@Implements(value = LoadedApk.class, isInAndroidSdk = false)
public class HostShadowLoadedApk extends ShadowLoadedApk {
  @RealObject private LoadedApk real;

  @Override
  @Implementation
  public ClassLoader getClassLoader() {
    super.getClassLoader();
    return AppClasses.loader();
  }

  /** For an activity within another. Before Android 13 only the first object of an app knows its application. */
  @Implementation(maxSdk = Sv2.SDK_INT)
  protected Application makeApplication(boolean plain, Instrumentation instrumentation) {
    Application application = RuntimeEnvironment.getApplication();
    ReflectionHelpers.setField(real, "mApplication", application);
    return application;
  }

  @Override
  @Implementation
  public ClassLoader getSplitClassLoader(String splitName) {
    return AppClasses.loader();
  }
}
