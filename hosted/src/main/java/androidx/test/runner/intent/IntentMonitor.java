package androidx.test.runner.intent;

/** Stand-in: Robolectric links against androidx.test, which Maven's default registry does not hold. It tells its callbacks of intents. */
public interface IntentMonitor {
  void addIntentCallback(IntentCallback callback);

  void removeIntentCallback(IntentCallback callback);
}
