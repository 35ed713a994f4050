package androidx.test.runner.intent;

/** Stand-in: Robolectric links against androidx.test, which Maven's default registry does not hold. It keeps the one intent monitor. */
public final class IntentMonitorRegistry {
  private static IntentMonitor instance;

  private IntentMonitorRegistry() {}

  public static IntentMonitor getInstance() {
    return instance;
  }

  public static void registerInstance(IntentMonitor newInstance) {
    instance = newInstance;
  }
}
