package marmoset.hosted.sandbox;

import android.util.DisplayMetrics;
import android.view.Display;
import org.robolectric.Shadows;
import org.robolectric.android.Bootstrap;
import org.robolectric.shadows.ShadowDisplay;

/**
 * Sets the display's size in pixels. Robolectric knows sizes in whole dp only, and loses up to three pixels; recorded
 * coordinates would drift. Main thread.
 */
final class ExactDisplay {
  private ExactDisplay() {}

  static void set(int width, int height) {
    Display display = ShadowDisplay.getDefaultDisplay();
    ShadowDisplay shadow = Shadows.shadowOf(display);
    shadow.setWidth(width);
    shadow.setHeight(height);
    shadow.setRealWidth(width);
    shadow.setRealHeight(height);
    set(Bootstrap.getDisplayMetrics(), width, height);
  }

  static void set(DisplayMetrics metrics, int width, int height) {
    metrics.widthPixels = metrics.noncompatWidthPixels = width;
    metrics.heightPixels = metrics.noncompatHeightPixels = height;
  }
}
