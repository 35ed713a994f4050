package marmoset.hosted.sandbox.shadows;

import android.view.ViewRootImpl;
import marmoset.hosted.sandbox.Drawing;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadows.ShadowViewRootImpl;

/** A window has no surface here, without which the framework draws nothing. */
@Implements(value = ViewRootImpl.class, isInAndroidSdk = false)
public class HostShadowViewRootImpl extends ShadowViewRootImpl {
  @RealObject private ViewRootImpl real;

  @Implementation
  protected boolean draw(boolean all, boolean forced) {
    Drawing.frame(real, all);
    return false;
  }
}
