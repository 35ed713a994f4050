package marmoset.hosted.sandbox;

import android.app.Activity;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.os.Bundle;
import java.util.ArrayList;
import java.util.List;
import org.robolectric.android.controller.ActivityController;

/** One entry of the activity stack. Owned by {@link ActivityStack}; main thread. */
final class ActivityRecord {
  enum State {
    NEW,
    RESUMED,
    PAUSED,
    STOPPED,
    DESTROYED
  }

  final ActivityInfo info;
  final ActivityController<? extends Activity> controller;
  final Intent intent;

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
      ActivityController<? extends Activity> controller,
      Intent intent,
      ActivityRecord resultTo,
      String resultWho,
      int requestCode,
      int task,
      boolean translucent) {
    this.info = info;
    this.controller = controller;
    this.intent = intent;
    this.resultTo = resultTo;
    this.resultWho = resultWho;
    this.requestCode = requestCode;
    this.task = task;
    this.translucent = translucent;
  }

  Activity activity() {
    return controller.get();
  }

  void addResult(String who, int requestCode, int resultCode, Intent data) {
    results.add(new Result(who, requestCode, resultCode, data));
  }

  List<Result> takeResults() {
    List<Result> taken = results;
    results = new ArrayList<>();
    return taken;
  }

  boolean created() {
    return state != State.NEW;
  }

  boolean isVisible() {
    return state == State.RESUMED || state == State.PAUSED;
  }
}
