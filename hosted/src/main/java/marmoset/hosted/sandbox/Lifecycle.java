package marmoset.hosted.sandbox;

import android.app.Activity;
import android.app.Instrumentation;
import android.content.Intent;
import android.content.res.Configuration;
import android.content.res.Resources;
import android.os.Build.VERSION;
import android.os.Bundle;
import android.view.View;
import android.view.Window;
import androidx.test.platform.app.InstrumentationRegistry;
import java.util.List;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowActivity;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.versioning.AndroidVersions.P;

/**
 * Moves one activity from state to state with the calls, and in the order, that Android makes since version 9. Main
 * thread; exceptions of the app's code pass through and leave the record's state as it was.
 */
final class Lifecycle {
  private static final int CONFIG_ASSETS_PATHS = 0x80000000;

  /** Runs the first half of the life of an activity. False where it finished itself in onCreate. */
  boolean create(ActivityRecord record, Bundle saved) {
    Wrapped.run(
        () -> "Unable to start activity ComponentInfo" + name(record),
        () -> {
          record.controller.create(saved);
          if (record.activity().isFinishing()) return;
          record.controller.start();
          if (saved != null) record.controller.restoreInstanceState(saved);
          record.controller.postCreate(saved);
        });
    if (record.activity().isFinishing()) return false;
    deliverPending(record);
    Wrapped.run(() -> "Unable to resume activity " + name(record), record.controller::resume);
    record.state = ActivityRecord.State.RESUMED;
    if (record.activity().isFinishing()) return true;
    record.controller.visible();
    focus(record, true);
    return true;
  }

  /** Brings a paused or stopped activity to the front. */
  void resume(ActivityRecord record) {
    if (record.state == ActivityRecord.State.RESUMED) return;
    if (record.state == ActivityRecord.State.STOPPED) {
      decor(record).setVisibility(View.VISIBLE);
      record.controller.restart();
      record.state = ActivityRecord.State.PAUSED;
    }
    deliverPending(record);
    if (record.activity().isFinishing()) return;
    Wrapped.run(() -> "Unable to resume activity " + name(record), record.controller::resume);
    record.state = ActivityRecord.State.RESUMED;
    focus(record, true);
    if (record.configurationChanged) {
      // A phone would make the new instance from the stopped one; this one is seen to resume first.
      record.configurationChanged = false;
      applyConfiguration(record);
    }
  }

  void userLeaving(ActivityRecord record) {
    if (record.state == ActivityRecord.State.RESUMED) record.controller.userLeaving();
  }

  void pause(ActivityRecord record) {
    if (record.state != ActivityRecord.State.RESUMED) return;
    record.state = ActivityRecord.State.PAUSED;
    record.controller.topActivityResumed(false);
    Wrapped.run(() -> "Unable to pause activity " + name(record), record.controller::pause);
    focus(record, false);
  }

  /** Stops what no longer shows: everything below the first activity that covers the screen. */
  void stopHidden(List<ActivityRecord> records) {
    boolean covered = false;
    for (int i = records.size() - 1; i >= 0; i--) {
      ActivityRecord record = records.get(i);
      if (covered) stop(record);
      covered |= !record.translucent;
    }
  }

  void stopAll(List<ActivityRecord> records) {
    for (int i = records.size() - 1; i >= 0; i--) stop(records.get(i));
  }

  private void stop(ActivityRecord record) {
    if (record.state != ActivityRecord.State.PAUSED || record.activity().isFinishing()) return;
    Activity activity = record.activity();
    // Since Android 9, for apps that target it, onSaveInstanceState comes after onStop.
    boolean saveFirst = Math.min(VERSION.SDK_INT, activity.getApplicationInfo().targetSdkVersion) < P.SDK_INT;
    record.savedState = new Bundle();
    if (saveFirst) record.controller.saveInstanceState(record.savedState);
    Wrapped.run(() -> "Unable to stop activity " + name(record), record.controller::stop);
    record.state = ActivityRecord.State.STOPPED;
    if (!saveFirst) record.controller.saveInstanceState(record.savedState);
    if (hasWindow(activity)) decor(record).setVisibility(View.INVISIBLE);
  }

  /** Ends an activity from whatever state it is in. */
  void destroy(ActivityRecord record) {
    if (record.state == ActivityRecord.State.DESTROYED) return;
    if (record.state == ActivityRecord.State.SAVED) {
      record.state = ActivityRecord.State.DESTROYED;
      return;
    }
    boolean created = record.created();
    pause(record);
    if (created && record.state == ActivityRecord.State.PAUSED) {
      Wrapped.run(() -> "Unable to stop activity " + name(record), record.controller::stop);
    }
    record.state = ActivityRecord.State.DESTROYED;
    Wrapped.run(() -> "Unable to destroy activity " + name(record), record.controller::destroy);
    Windows.removeOf(record.activity());
  }

  void newIntent(ActivityRecord record, Intent intent) {
    boolean resumed = record.state == ActivityRecord.State.RESUMED;
    if (resumed) {
      record.controller.pause();
    } else if (record.state == ActivityRecord.State.STOPPED) {
      decor(record).setVisibility(View.VISIBLE);
      record.controller.restart();
      record.state = ActivityRecord.State.PAUSED;
    }
    instrumentation().callActivityOnNewIntent(record.activity(), intent);
    if (resumed) record.controller.resume();
  }

  /** Takes the result of a finishing activity to the one that asked for it. */
  void takeResult(ActivityRecord finishing, List<ActivityRecord> live) {
    ActivityRecord target = finishing.resultTo;
    if (target == null || finishing.requestCode < 0 || !live.contains(target)) return;
    ShadowActivity shadow = Shadow.extract(finishing.activity());
    target.addResult(finishing.resultWho, finishing.requestCode, shadow.getResultCode(), shadow.getResultIntent());
  }

  /** Delivers a result now. A resumed activity is paused around it, as Android does. */
  void deliverResult(ActivityRecord record, String who, int requestCode, int resultCode, Intent data) {
    boolean resumed = record.state == ActivityRecord.State.RESUMED;
    if (resumed) record.controller.pause();
    dispatch(record, who, requestCode, resultCode, data);
    if (resumed && !record.activity().isFinishing()) record.controller.resume();
  }

  private void deliverPending(ActivityRecord record) {
    for (ActivityRecord.Result result : record.takeResults()) {
      dispatch(record, result.who(), result.requestCode(), result.resultCode(), result.data());
    }
  }

  private static void dispatch(ActivityRecord record, String who, int requestCode, int resultCode, Intent data) {
    ShadowActivity shadow = Shadow.extract(record.activity());
    Wrapped.run(
        () ->
            "Failure delivering result ResultInfo{who=" + who + ", request=" + requestCode + ", result=" + resultCode
                + ", data=" + data + "} to activity " + name(record),
        () -> shadow.internalCallDispatchActivityResult(who, requestCode, resultCode, data));
  }

  /** onConfigurationChanged or a new instance, as the manifest says. REQUIRES: the activity is resumed. */
  void applyConfiguration(ActivityRecord record) {
    Activity activity = record.activity();
    Resources resources = activity.getApplication().getResources();
    Configuration known = ReflectionHelpers.getField(activity, "mCurrentConfig");
    if (known.diff(resources.getConfiguration()) == 0) return;
    record.controller.configurationChange(resources.getConfiguration(), resources.getDisplayMetrics());
    replace(activity, record);
  }

  /** A new instance with the old one's state. A hidden activity is renewed when it comes to the front. */
  void recreate(ActivityRecord record) {
    if (record.state != ActivityRecord.State.RESUMED) return;
    Activity activity = record.activity();
    relaunch(record, activity.getApplication().getResources());
    replace(activity, record);
  }

  /** Shows the present instance. If it is a new one, Robolectric has destroyed the old, but left its windows. */
  private static void replace(Activity old, ActivityRecord record) {
    if (record.activity() != old) Windows.removeOf(old);
    show(record);
  }

  /** Robolectric's own recreate() leaves the window out; a change that no activity handles itself has the same effect. */
  @SuppressWarnings("deprecation")
  private static void relaunch(ActivityRecord record, Resources resources) {
    record.controller.configurationChange(
        resources.getConfiguration(), resources.getDisplayMetrics(), CONFIG_ASSETS_PATHS);
  }

  /** A new instance has no window yet. */
  private static void show(ActivityRecord record) {
    if (record.state != ActivityRecord.State.RESUMED || record.activity().isFinishing()) return;
    if (!hasWindow(record.activity())) record.controller.visible();
    focus(record, true);
  }

  private static void focus(ActivityRecord record, boolean focused) {
    if (!hasWindow(record.activity())) return;
    record.controller.windowFocusChanged(focused);
    if (focused) record.controller.topActivityResumed(true);
  }

  private static String name(ActivityRecord record) {
    return "{" + record.activity().getComponentName().flattenToString() + "}";
  }

  private static boolean hasWindow(Activity activity) {
    Window window = activity.getWindow();
    return window != null && window.peekDecorView() != null && window.peekDecorView().getViewRootImpl() != null;
  }

  private static View decor(ActivityRecord record) {
    return record.activity().getWindow().getDecorView();
  }

  private static Instrumentation instrumentation() {
    return InstrumentationRegistry.getInstrumentation();
  }
}
