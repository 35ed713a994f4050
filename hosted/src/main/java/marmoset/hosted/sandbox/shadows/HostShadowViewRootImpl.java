package marmoset.hosted.sandbox.shadows;

import android.view.View;
import android.view.ViewRootImpl;
import marmoset.hosted.sandbox.Drawing;
import org.robolectric.annotation.ClassName;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadows.ShadowViewRootImpl;
import org.robolectric.versioning.AndroidVersions.NMR1;
import org.robolectric.versioning.AndroidVersions.Sv2;
import org.robolectric.versioning.AndroidVersions.T;
import org.robolectric.versioning.AndroidVersions.U;
import org.robolectric.versioning.AndroidVersions.V;

/** A window has no surface here, without which the framework draws nothing. */
@Implements(value = ViewRootImpl.class, isInAndroidSdk = false)
public class HostShadowViewRootImpl extends ShadowViewRootImpl {
  @RealObject private ViewRootImpl real;

  /** Robolectric's window manager does not say there that the app may be seen. */
  @Implementation(maxSdk = NMR1.SDK_INT)
  protected int getHostVisibility() {
    return real.getView() == null ? View.GONE : real.getView().getVisibility();
  }

  @Implementation(maxSdk = Sv2.SDK_INT)
  protected boolean draw(boolean all) {
    Drawing.frame(real, all);
    return false;
  }

  @Implementation(minSdk = T.SDK_INT, maxSdk = U.SDK_INT)
  protected boolean draw(boolean all, boolean forced) {
    return draw(all);
  }

  @Implementation(minSdk = V.SDK_INT)
  protected boolean draw(boolean all, @ClassName("android.window.SurfaceSyncGroup") Object sync, boolean forced) {
    return draw(all);
  }
}
