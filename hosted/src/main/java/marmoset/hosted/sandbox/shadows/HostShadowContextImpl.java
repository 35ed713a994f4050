package marmoset.hosted.sandbox.shadows;

import marmoset.hosted.sandbox.AppClasses;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowContextImpl;

/** The app's classes come from the app's own class loader, not from the sandbox's. */
@Implements(className = "android.app.ContextImpl", isInAndroidSdk = false)
public class HostShadowContextImpl extends ShadowContextImpl {
  @Override
  @Implementation
  protected ClassLoader getClassLoader() {
    return AppClasses.loader();
  }
}
