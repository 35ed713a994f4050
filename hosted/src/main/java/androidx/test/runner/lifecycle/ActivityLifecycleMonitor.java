package androidx.test.runner.lifecycle;

import android.app.Activity;
import java.util.Collection;

/** Stand-in: Robolectric links against androidx.test, which Maven's default registry does not hold. It knows the stage of each activity. */
public interface ActivityLifecycleMonitor {
  void addLifecycleCallback(ActivityLifecycleCallback callback);

  void removeLifecycleCallback(ActivityLifecycleCallback callback);

  Stage getLifecycleStageOf(Activity activity);

  Collection<Activity> getActivitiesInStage(Stage stage);
}
