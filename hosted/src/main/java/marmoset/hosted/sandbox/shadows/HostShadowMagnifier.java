package marmoset.hosted.sandbox.shadows;

import android.graphics.Point;
import android.widget.Magnifier;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;

/** The magnifying glass over a text selection reads the screen's surface, which does not exist here; it stays hidden. */
@Implements(Magnifier.class)
public class HostShadowMagnifier {
  @Implementation
  protected void show(float x, float y) {}

  @Implementation
  protected void show(float sourceX, float sourceY, float magnifierX, float magnifierY) {}

  @Implementation
  protected void update() {}

  @Implementation
  protected void dismiss() {}

  @Implementation
  protected Point getPosition() {
    return null;
  }
}
