package androidx.test.runner.lifecycle;

import android.app.Activity;

/** Stand-in: Robolectric links against androidx.test, which Maven's default registry does not hold. It hears of activity stages. */
public interface ActivityLifecycleCallback {
  void onActivityLifecycleChanged(Activity activity, Stage stage);
}
