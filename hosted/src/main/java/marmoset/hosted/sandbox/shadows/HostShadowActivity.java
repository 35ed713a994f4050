package marmoset.hosted.sandbox.shadows;

import android.app.Activity;
import android.app.Dialog;
import android.os.Build.VERSION;
import android.os.Bundle;
import android.view.View;
import java.util.function.Consumer;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowActivity;
import org.robolectric.util.reflector.Direct;
import org.robolectric.util.reflector.ForType;
import org.robolectric.versioning.AndroidVersions.Q;
import org.robolectric.versioning.AndroidVersions.Sv2;
import org.robolectric.versioning.AndroidVersions.T;
import org.robolectric.versioning.AndroidVersions.U;

import static org.robolectric.util.reflector.Reflector.reflector;

/**
 * Robolectric's activity shadow answers many calls by itself, for the sake of unit tests. This one hands them to the
 * framework's real code, and tells the activity stack what concerns it. Main thread, except finish().
 */
@Implements(Activity.class)
public class HostShadowActivity extends ShadowActivity {
  /** What the activity stack wants to hear. */
  public interface Listener {
    void finishing();

    void finishAffinity(Activity activity);

    void recreate(Activity activity);

    void orientation(Activity activity);

    void moveToBack();
  }

  private static volatile Listener listener;

  public static void setListener(Listener newListener) {
    listener = newListener;
  }

  private static void tell(Consumer<Listener> message) {
    Listener current = listener;
    if (current != null) message.accept(current);
  }

  @Override
  @Implementation
  protected void onBackPressed() {
    // The root of a task would ask the activity manager there, which would answer "finish".
    boolean asks = VERSION.SDK_INT >= Q.SDK_INT && VERSION.SDK_INT <= Sv2.SDK_INT && isTaskRoot();
    if (asks) setIsTaskRoot(false);
    try {
      real().onBackPressed();
    } finally {
      if (asks) setIsTaskRoot(true);
    }
  }

  /** What is left of BACK when nothing in the activity wanted it; the activity manager would answer "finish". */
  @Implementation(minSdk = U.SDK_INT)
  protected void onBackInvoked() {
    realActivity.finish();
  }

  @Implementation(minSdk = T.SDK_INT, maxSdk = T.SDK_INT)
  protected void navigateBack() {
    realActivity.finish();
  }

  @Override
  @Implementation
  protected void finish() {
    Activity parent = getParent();
    if (parent != null) {
      // The parent decides, and by default ends itself.
      parent.finishFromChild(realActivity);
      return;
    }
    super.finish();
    tell(Listener::finishing);
  }

  @Override
  @Implementation
  protected void finishAndRemoveTask() {
    super.finishAndRemoveTask();
    tell(current -> current.finishAffinity(realActivity));
  }

  @Override
  @Implementation
  protected void finishAffinity() {
    super.finishAffinity();
    tell(current -> current.finishAffinity(realActivity));
  }

  @Implementation
  protected void recreate() {
    tell(current -> current.recreate(realActivity));
  }

  @Override
  @Implementation
  protected void setRequestedOrientation(int orientation) {
    boolean changed = getRequestedOrientation() != orientation;
    super.setRequestedOrientation(orientation);
    if (changed) tell(current -> current.orientation(realActivity));
  }

  /** Of an embedded activity, in a tab for example. */
  @Override
  @Implementation
  protected Activity getParent() {
    return real().getParent();
  }

  @Override
  @Implementation
  protected View getCurrentFocus() {
    return real().getCurrentFocus();
  }

  @Override
  @Implementation
  protected void showDialog(int id) {
    real().showDialog(id);
  }

  @Override
  @Implementation
  protected boolean showDialog(int id, Bundle arguments) {
    return real().showDialog(id, arguments);
  }

  @Override
  @Implementation
  protected void dismissDialog(int id) {
    real().dismissDialog(id);
  }

  @Override
  @Implementation
  protected void removeDialog(int id) {
    real().removeDialog(id);
  }

  @Override
  @Implementation
  public boolean moveTaskToBack(boolean nonRoot) {
    tell(Listener::moveToBack);
    return true;
  }

  private RealActivity real() {
    return reflector(RealActivity.class, realActivity);
  }

  /** The framework's own methods behind the shadow. */
  @ForType(Activity.class)
  interface RealActivity {
    @Direct
    void onBackPressed();

    @Direct
    Activity getParent();

    @Direct
    View getCurrentFocus();

    @Direct
    void showDialog(int id);

    @Direct
    boolean showDialog(int id, Bundle arguments);

    @Direct
    void dismissDialog(int id);

    @Direct
    void removeDialog(int id);
  }
}
