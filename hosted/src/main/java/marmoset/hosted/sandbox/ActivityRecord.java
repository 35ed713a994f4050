package marmoset.hosted.sandbox;

import android.app.Activity;
import android.content.ComponentName;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.os.Bundle;
import java.util.ArrayList;
import java.util.List;
import org.robolectric.Robolectric;
import org.robolectric.android.controller.ActivityController;

/** One entry of the activity stack. Owned by {@link ActivityStack}; main thread. */
final class ActivityRecord {
  enum State {
    NEW,
    RESUMED,
    PAUSED,
    STOPPED,
    /** Its process has ended; a new instance is made from the saved state when it comes to the front. */
    SAVED,
    DESTROYED
  }

  final ActivityInfo info;
  final String className;
  final Intent intent;

  /** Null before the instance is made, and when its process has ended. */
  ActivityController<? extends Activity> controller;

  /** Who gets the result, or null. */
  final ActivityRecord resultTo;

  final String resultWho;
  final int requestCode;

  /** Activities with the same task share a back stack. */
  final int task;

  State state = State.NEW;

  /** The configuration has changed while the activity was not on top. */
  boolean configurationChanged;

  /** Below a window that does not cover the screen the activity stays visible. */
  final boolean translucent;

  Bundle savedState;

  /** Results that arrive while the activity is not in front; delivered before it resumes. */
  private List<Result> results = new ArrayList<>();

  /** One result of an activity that was started for it. */
  record Result(String who, int requestCode, int resultCode, Intent data) {}

  ActivityRecord(
      ActivityInfo info,
      String className,
      Intent intent,
      ActivityRecord resultTo,
      String resultWho,
      int requestCode,
      int task,
      boolean translucent) {
    this.info = info;
    this.className = className;
    this.intent = intent;
    this.resultTo = resultTo;
    this.resultWho = resultWho;
    this.requestCode = requestCode;
    this.task = task;
    this.translucent = translucent;
  }

  /** Makes the instance; its life has not begun yet. */
  void make(Bundle options) {
    Class<? extends Activity> type;
    try {
      type = AppClasses.forName(className).asSubclass(Activity.class);
    } catch (ClassNotFoundException e) {
      throw new RuntimeException("Unable to instantiate activity ComponentInfo{" + name() + "}: " + e, e);
    }
    controller = Robolectric.buildActivity(type, intent, options);
    state = State.NEW;
  }

  /** REQUIRES: it has an instance. */
  Activity activity() {
    return controller.get();
  }

  boolean is(Activity activity) {
    return controller != null && activity() == activity;
  }

  boolean isFinishing() {
    return controller != null && activity().isFinishing();
  }

  ComponentName component() {
    return new ComponentName(info.packageName, info.name);
  }

  private String name() {
    return info.packageName + "/" + className;
  }

  void addResult(String who, int requestCode, int resultCode, Intent data) {
    results.add(new Result(who, requestCode, resultCode, data));
  }

  List<Result> takeResults() {
    List<Result> taken = results;
    results = new ArrayList<>();
    return taken;
  }

  List<Result> results() {
    return results;
  }

  boolean created() {
    return state != State.NEW;
  }

  boolean isVisible() {
    return state == State.RESUMED || state == State.PAUSED;
  }
}
