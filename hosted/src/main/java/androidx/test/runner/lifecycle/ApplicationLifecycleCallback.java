package androidx.test.runner.lifecycle;

import android.app.Application;

/** Stand-in: Robolectric links against androidx.test, which Maven's default registry does not hold. It hears of application stages. */
public interface ApplicationLifecycleCallback {
  void onApplicationLifecycleChanged(Application application, ApplicationStage stage);
}
