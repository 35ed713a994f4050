package androidx.test.runner.intent;

import android.app.Instrumentation.ActivityResult;
import android.content.Intent;

/** Stand-in: Robolectric links against androidx.test, which Maven's default registry does not hold. Named by a signature only. */
public interface IntentStubber {
  ActivityResult getActivityResultForIntent(Intent intent);
}
