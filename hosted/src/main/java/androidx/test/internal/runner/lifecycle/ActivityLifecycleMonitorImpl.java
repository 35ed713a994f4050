package androidx.test.internal.runner.lifecycle;

import android.app.Activity;
import androidx.test.runner.lifecycle.ActivityLifecycleCallback;
import androidx.test.runner.lifecycle.ActivityLifecycleMonitor;
import androidx.test.runner.lifecycle.Stage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

/** Stand-in: Robolectric links against androidx.test, which Maven's default registry does not hold. It keeps the stage of each live activity. Any thread. */
public class ActivityLifecycleMonitorImpl implements ActivityLifecycleMonitor {
  private final List<ActivityLifecycleCallback> callbacks = new ArrayList<>();
  private final Map<Activity, Stage> stages = new WeakHashMap<>();

  @Override
  public synchronized void addLifecycleCallback(ActivityLifecycleCallback callback) {
    callbacks.add(callback);
  }

  @Override
  public synchronized void removeLifecycleCallback(ActivityLifecycleCallback callback) {
    callbacks.remove(callback);
  }

  @Override
  public synchronized Stage getLifecycleStageOf(Activity activity) {
    return stages.get(activity);
  }

  @Override
  public synchronized Collection<Activity> getActivitiesInStage(Stage stage) {
    List<Activity> found = new ArrayList<>();
    for (Map.Entry<Activity, Stage> entry : stages.entrySet()) {
      if (entry.getValue() == stage) found.add(entry.getKey());
    }
    return found;
  }

  public void signalLifecycleChange(Stage stage, Activity activity) {
    List<ActivityLifecycleCallback> toTell;
    synchronized (this) {
      stages.put(activity, stage);
      toTell = new ArrayList<>(callbacks);
    }
    for (ActivityLifecycleCallback callback : toTell) callback.onActivityLifecycleChanged(activity, stage);
  }
}
