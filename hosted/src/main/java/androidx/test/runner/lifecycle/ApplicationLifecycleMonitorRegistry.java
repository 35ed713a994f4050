package androidx.test.runner.lifecycle;

/** Stand-in: Robolectric links against androidx.test, which Maven's default registry does not hold. It keeps the one application monitor. */
public final class ApplicationLifecycleMonitorRegistry {
  private static ApplicationLifecycleMonitor instance;

  private ApplicationLifecycleMonitorRegistry() {}

  public static ApplicationLifecycleMonitor getInstance() {
    return instance;
  }

  public static void registerInstance(ApplicationLifecycleMonitor newInstance) {
    instance = newInstance;
  }
}
