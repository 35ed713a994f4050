package marmoset.hosted.sandbox;

import android.app.Activity;
import android.app.Application;
import android.content.Context;
import android.content.Intent;
import android.os.Build.VERSION;
import android.os.Bundle;
import android.os.IBinder;
import android.os.UserHandle;
import org.robolectric.android.internal.RoboMonitoringInstrumentation;
import org.robolectric.versioning.AndroidVersions.N;

/**
 * The way from the app to the activity stack: every startActivity of the app ends in one of these methods. Also holds
 * back Application.onCreate, which on a phone runs when the first component is started and so belongs to the first
 * {@code launch}, not to {@code reset}. Main thread.
 */
public final class HostInstrumentation extends RoboMonitoringInstrumentation {
  private ActivityStack stack;

  void setStack(ActivityStack newStack) {
    stack = newStack;
  }

  @Override
  public void callApplicationOnCreate(Application app) {
    // AppProcess.start calls it, after the content providers.
  }

  /** The real Application.onCreate. */
  void createApplication(Application app) {
    super.callApplicationOnCreate(app);
  }

  @Override
  public ActivityResult execStartActivity(
      Context who, IBinder thread, IBinder token, Activity target, Intent intent, int requestCode, Bundle options) {
    leave(who, intent);
    stack.start(target != null ? target : who, null, intent, requestCode, options);
    return null;
  }

  @Override
  public ActivityResult execStartActivity(
      Context who, IBinder thread, IBinder token, String target, Intent intent, int requestCode, Bundle options) {
    leave(who, intent);
    stack.start(who, target, intent, requestCode, options);
    return null;
  }

  @Override
  public ActivityResult execStartActivity(
      Context who,
      IBinder thread,
      IBinder token,
      String target,
      Intent intent,
      int requestCode,
      Bundle options,
      UserHandle user) {
    leave(who, intent);
    stack.start(who, target, intent, requestCode, options);
    return null;
  }

  @Override
  public void execStartActivities(
      Context who, IBinder thread, IBinder token, Activity target, Intent[] intents, Bundle options) {
    for (Intent intent : intents) {
      leave(who, intent);
      stack.start(target != null ? target : who, null, intent, -1, options);
    }
  }

  /** Throws where the intent would give other apps what they cannot have, such as the address of a file. */
  private static void leave(Context who, Intent intent) {
    intent.migrateExtraStreamToClipData();
    if (VERSION.SDK_INT >= N.SDK_INT) intent.prepareToLeaveProcess(who);
  }
}
