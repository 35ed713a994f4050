package androidx.test.runner.lifecycle;

/** Stand-in: Robolectric links against androidx.test, which Maven's default registry does not hold. It keeps the one activity monitor. */
public final class ActivityLifecycleMonitorRegistry {
  private static ActivityLifecycleMonitor instance;

  private ActivityLifecycleMonitorRegistry() {}

  public static ActivityLifecycleMonitor getInstance() {
    return instance;
  }

  public static void registerInstance(ActivityLifecycleMonitor newInstance) {
    instance = newInstance;
  }
}
