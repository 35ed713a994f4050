package androidx.test.runner.lifecycle;

/** Stand-in: Robolectric links against androidx.test, which Maven's default registry does not hold. It tells its callbacks of application stages. */
public interface ApplicationLifecycleMonitor {
  void addLifecycleCallback(ApplicationLifecycleCallback callback);

  void removeLifecycleCallback(ApplicationLifecycleCallback callback);
}
