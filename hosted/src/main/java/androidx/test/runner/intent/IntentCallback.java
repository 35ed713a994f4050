package androidx.test.runner.intent;

import android.content.Intent;

/** Stand-in: Robolectric links against androidx.test, which Maven's default registry does not hold. It hears of each intent sent. */
public interface IntentCallback {
  void onIntentSent(Intent intent);
}
