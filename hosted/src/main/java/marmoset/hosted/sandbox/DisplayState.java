package marmoset.hosted.sandbox;

import android.app.Activity;
import android.content.pm.ActivityInfo;
import android.content.res.Resources;
import android.graphics.Rect;
import android.util.DisplayMetrics;
import android.view.Display;
import java.util.Set;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.Shadows;
import org.robolectric.shadows.ShadowDisplay;

/**
 * The display's rotation and the app's area on it. The tester's rotation holds unless the front activity asks for an
 * orientation of its own. Main thread.
 */
final class DisplayState {
  private static final Set<Integer> LANDSCAPE =
      Set.of(
          ActivityInfo.SCREEN_ORIENTATION_LANDSCAPE,
          ActivityInfo.SCREEN_ORIENTATION_USER_LANDSCAPE,
          ActivityInfo.SCREEN_ORIENTATION_SENSOR_LANDSCAPE,
          ActivityInfo.SCREEN_ORIENTATION_REVERSE_LANDSCAPE);

  private static final Set<Integer> PORTRAIT =
      Set.of(
          ActivityInfo.SCREEN_ORIENTATION_PORTRAIT,
          ActivityInfo.SCREEN_ORIENTATION_USER_PORTRAIT,
          ActivityInfo.SCREEN_ORIENTATION_SENSOR_PORTRAIT,
          ActivityInfo.SCREEN_ORIENTATION_REVERSE_PORTRAIT);

  private final DeviceProfile profile;
  private int rotation;
  private int wanted;
  private Runnable onChange = () -> {};

  DisplayState(DeviceProfile profile) {
    this.profile = profile;
  }

  /** Called after the configuration has changed. */
  void onChange(Runnable listener) {
    onChange = listener;
  }

  int rotation() {
    return rotation;
  }

  boolean turned() {
    return rotation % 2 == 1;
  }

  int width() {
    return turned() ? profile.height : profile.width;
  }

  int height() {
    return turned() ? profile.width : profile.height;
  }

  boolean neighboursBlocked() {
    return profile.neighboursBlocked;
  }

  boolean isAndroid4() {
    return profile.isAndroid4();
  }

  boolean keyboardDrawn() {
    return profile.keyboardDrawn;
  }

  int density() {
    return profile.density;
  }

  int statusBar() {
    return profile.statusBar;
  }

  /** The app's area in coordinates of the whole display. */
  Rect area() {
    return new Rect(0, profile.statusBar, width(), height() - profile.navigationBar);
  }

  /** The tester turns the phone. */
  void rotate(int newRotation, Activity front) {
    wanted = newRotation;
    apply(front);
  }

  /** Held as another process of the app has left it. */
  void restore(DisplayState other) {
    rotate(other.wanted, null);
  }

  /** Another activity is in front, or the front one asks for another orientation. */
  void onTopChanged(Activity front) {
    apply(front);
  }

  private void apply(Activity front) {
    int next = front == null ? wanted : forced(front.getRequestedOrientation());
    if (next == rotation) return;
    boolean wasTurned = turned();
    rotation = next;
    Display display = ShadowDisplay.getDefaultDisplay();
    Shadows.shadowOf(display).setRotation(rotation);
    if (turned() != wasTurned) {
      int width = profile.appWidth(turned());
      int height = profile.appHeight(turned());
      RuntimeEnvironment.setQualifiers(profile.qualifiers(turned()));
      ExactDisplay.set(width, height);
      Resources resources = RuntimeEnvironment.getApplication().getResources();
      DisplayMetrics metrics = new DisplayMetrics();
      metrics.setTo(resources.getDisplayMetrics());
      ExactDisplay.set(metrics, width, height);
      resources.updateConfiguration(resources.getConfiguration(), metrics);
      Shadows.shadowOf(display).setRotation(rotation);
      onChange.run();
    }
  }

  private int forced(int orientation) {
    if (LANDSCAPE.contains(orientation)) return wanted % 2 == 1 ? wanted : 1;
    if (PORTRAIT.contains(orientation)) return wanted % 2 == 0 ? wanted : 0;
    return orientation == ActivityInfo.SCREEN_ORIENTATION_NOSENSOR ? 0 : wanted;
  }
}
