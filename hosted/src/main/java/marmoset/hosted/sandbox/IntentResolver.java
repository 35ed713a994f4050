package marmoset.hosted.sandbox;

import android.app.ActivityManager;
import android.app.Instrumentation;
import android.content.ActivityNotFoundException;
import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.content.pm.PackageManager;
import android.content.pm.ResolveInfo;

/** Finds who answers an intent: an activity of the app, a neighbour, or nobody. Main thread. */
final class IntentResolver {
  /** Exactly one of the two is set. */
  record Answer(ActivityInfo activity, Neighbours.App neighbour) {}

  private IntentResolver() {}

  /** Throws ActivityNotFoundException with Android's words where nobody answers. */
  static Answer resolve(Context context, Intent intent) {
    PackageManager manager = context.getPackageManager();
    ComponentName component = intent.getComponent();
    if (component == null && intent.getSelector() != null) return resolve(context, intent.getSelector());
    if (component != null) {
      if (component.getPackageName().equals(context.getPackageName())) {
        return new Answer(own(context, component), null);
      }
      Neighbours.App neighbour = Neighbours.find(intent);
      if (neighbour != null) return new Answer(null, neighbour);
      throw notFound(intent);
    }
    ResolveInfo own = manager.resolveActivity(intent, PackageManager.MATCH_DEFAULT_ONLY);
    if (own != null && own.activityInfo != null && own.activityInfo.packageName.equals(context.getPackageName())) {
      return new Answer(own.activityInfo, null);
    }
    Neighbours.App neighbour = Neighbours.find(intent);
    if (neighbour != null) return new Answer(null, neighbour);
    throw notFound(intent);
  }

  /** An activity of the app. Throws ActivityNotFoundException. */
  static ActivityInfo own(Context context, ComponentName component) {
    try {
      return context.getPackageManager().getActivityInfo(component, PackageManager.GET_META_DATA);
    } catch (PackageManager.NameNotFoundException e) {
      throw notFound(new Intent().setComponent(component));
    }
  }

  /** Thrown by the framework itself, so that it has the words and the frames of a phone. Returns never. */
  private static ActivityNotFoundException notFound(Intent intent) {
    Instrumentation.checkStartActivityResult(ActivityManager.START_CLASS_NOT_FOUND, intent);
    throw new IllegalStateException("the framework finds " + intent);
  }
}
