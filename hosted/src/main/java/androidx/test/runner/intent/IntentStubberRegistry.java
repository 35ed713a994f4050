package androidx.test.runner.intent;

/** Stand-in: Robolectric links against androidx.test, which Maven's default registry does not hold. Intents are never stubbed here; the activity stack answers them. */
public final class IntentStubberRegistry {
  private IntentStubberRegistry() {}

  public static boolean isLoaded() {
    return false;
  }

  public static IntentStubber getInstance() {
    throw new IllegalStateException("no intent stubber is loaded");
  }
}
