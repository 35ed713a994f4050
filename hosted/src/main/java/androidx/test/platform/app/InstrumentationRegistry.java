package androidx.test.platform.app;

import android.app.Instrumentation;
import android.os.Bundle;

/** Stand-in: Robolectric links against androidx.test, which Maven's default registry does not hold. It keeps the one Instrumentation. */
public final class InstrumentationRegistry {
  private static Instrumentation instrumentation;
  private static Bundle arguments;

  private InstrumentationRegistry() {}

  public static Instrumentation getInstrumentation() {
    if (instrumentation == null) throw new IllegalStateException("no instrumentation is registered");
    return instrumentation;
  }

  public static Bundle getArguments() {
    return new Bundle(arguments);
  }

  public static void registerInstance(Instrumentation newInstrumentation, Bundle newArguments) {
    instrumentation = newInstrumentation;
    arguments = newArguments;
  }
}
