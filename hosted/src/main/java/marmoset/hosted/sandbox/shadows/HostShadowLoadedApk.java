package marmoset.hosted.sandbox.shadows;

import android.app.LoadedApk;
import marmoset.hosted.sandbox.AppClasses;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowLoadedApk;

/** The app's classes come from the app's own class loader, not from the sandbox's. */
@Implements(value = LoadedApk.class, isInAndroidSdk = false)
public class HostShadowLoadedApk extends ShadowLoadedApk {
  @Override
  @Implementation
  public ClassLoader getClassLoader() {
    super.getClassLoader();
    return AppClasses.loader();
  }

  @Override
  @Implementation
  public ClassLoader getSplitClassLoader(String splitName) {
    return AppClasses.loader();
  }
}
