package marmoset.hosted.sandbox;

import android.app.Instrumentation;
import javax.inject.Named;
import org.robolectric.android.internal.AndroidTestEnvironment;
import org.robolectric.internal.ShadowProvider;
import org.robolectric.pluginapi.Sdk;
import org.robolectric.pluginapi.TestEnvironmentLifecyclePlugin;

/** Robolectric's environment with our instrumentation, which owns the activity stack. */
public final class HostEnvironment extends AndroidTestEnvironment {
  public HostEnvironment(
      @Named("runtimeSdk") Sdk runtimeSdk,
      @Named("compileSdk") Sdk compileSdk,
      ShadowProvider[] providers,
      TestEnvironmentLifecyclePlugin[] plugins) {
    super(runtimeSdk, compileSdk, providers, plugins);
  }

  @Override
  protected Instrumentation pickInstrumentation() {
    return new HostInstrumentation();
  }
}
