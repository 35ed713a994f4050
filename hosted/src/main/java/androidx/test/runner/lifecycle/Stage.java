package androidx.test.runner.lifecycle;

/** Stand-in: Robolectric links against androidx.test, which Maven's default registry does not hold. The stages of an activity. */
public enum Stage {
  PRE_ON_CREATE,
  CREATED,
  STARTED,
  RESUMED,
  PAUSED,
  STOPPED,
  RESTARTED,
  DESTROYED
}
