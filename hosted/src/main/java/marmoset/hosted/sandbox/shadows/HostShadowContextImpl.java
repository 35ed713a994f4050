package marmoset.hosted.sandbox.shadows;

import android.content.BroadcastReceiver;
import android.content.ComponentName;
import android.content.Intent;
import android.content.ServiceConnection;
import android.os.Bundle;
import android.os.Handler;
import android.os.UserHandle;
import android.speech.RecognizerIntent;
import java.util.ArrayList;
import java.util.List;
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

  /** The phone's speech app answers the question for its languages; nobody else does. */
  @Override
  @Implementation
  protected void sendOrderedBroadcast(
      Intent intent,
      String permission,
      BroadcastReceiver receiver,
      Handler scheduler,
      int code,
      String data,
      Bundle extras) {
    Bundle answer = extras;
    if (intent != null && RecognizerIntent.ACTION_GET_LANGUAGE_DETAILS.equals(intent.getAction())) {
      answer = extras == null ? new Bundle() : new Bundle(extras);
      answer.putString(RecognizerIntent.EXTRA_LANGUAGE_PREFERENCE, "en-US");
      answer.putStringArrayList(RecognizerIntent.EXTRA_SUPPORTED_LANGUAGES, new ArrayList<>(List.of("en-US")));
    }
    super.sendOrderedBroadcast(intent, permission, receiver, scheduler, code, data, answer);
  }

  /** Android since version 5 wants to know which app is meant. */
  private static void check(Intent service) {
    if (service.getComponent() == null && service.getPackage() == null) {
      throw new IllegalArgumentException("Service Intent must be explicit: " + service);
    }
  }
}
