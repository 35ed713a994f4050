package marmoset.hosted.sandbox.shadows;

import android.content.ComponentName;
import android.content.Intent;
import android.content.ServiceConnection;
import android.os.UserHandle;
import java.util.concurrent.Executor;
import marmoset.hosted.sandbox.AppClasses;
import marmoset.hosted.sandbox.Services;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowContextImpl;

/**
 * The app's classes come from the app's own class loader, not from the sandbox's; its services run, where Robolectric
 * only records that they were started.
 */
@Implements(className = "android.app.ContextImpl", isInAndroidSdk = false)
public class HostShadowContextImpl extends ShadowContextImpl {
  @Override
  @Implementation
  protected ClassLoader getClassLoader() {
    return AppClasses.loader();
  }

  @Override
  @Implementation
  protected ComponentName startService(Intent service) {
    check(service);
    return Services.current().start(service);
  }

  @Override
  @Implementation
  protected ComponentName startForegroundService(Intent service) {
    return startService(service);
  }

  @Override
  @Implementation
  protected boolean stopService(Intent service) {
    check(service);
    return Services.current().stop(service);
  }

  @Override
  @Implementation
  protected boolean bindService(Intent service, int flags, Executor executor, ServiceConnection connection) {
    check(service);
    return Services.current().bind(service, connection, flags, executor);
  }

  @Override
  @Implementation
  protected boolean bindService(Intent service, ServiceConnection connection, int flags) {
    check(service);
    return Services.current().bind(service, connection, flags, null);
  }

  @Override
  @Implementation
  protected boolean bindServiceAsUser(Intent service, ServiceConnection connection, int flags, UserHandle user) {
    return bindService(service, connection, flags);
  }

  @Override
  @Implementation
  protected void unbindService(ServiceConnection connection) {
    Services.current().unbind(connection);
  }

  /** Android since version 5 wants to know which app is meant. */
  private static void check(Intent service) {
    if (service.getComponent() == null && service.getPackage() == null) {
      throw new IllegalArgumentException("Service Intent must be explicit: " + service);
    }
  }
}
