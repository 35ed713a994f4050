package androidx.test.runner.lifecycle;

/** Stand-in: Robolectric links against androidx.test, which Maven's default registry does not hold. The stages of an application. */
public enum ApplicationStage {
  PRE_ON_CREATE,
  CREATED
}
