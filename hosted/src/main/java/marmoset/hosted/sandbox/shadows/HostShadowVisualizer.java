package marmoset.hosted.sandbox.shadows;

import android.media.audiofx.Visualizer;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowVisualizer;

/** The limits that a phone's audio visualizer has; Robolectric answers null and zero. */
@Implements(Visualizer.class)
public class HostShadowVisualizer extends ShadowVisualizer {
  @Implementation
  protected static int[] getCaptureSizeRange() {
    return new int[] {128, 1024};
  }

  @Implementation
  protected static int getMaxCaptureRate() {
    return 20_000;
  }
}
