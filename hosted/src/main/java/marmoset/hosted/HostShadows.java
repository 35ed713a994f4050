package marmoset.hosted;

import java.util.ArrayList;
import java.util.List;
import marmoset.hosted.sandbox.shadows.HostShadowActivity;
import marmoset.hosted.sandbox.shadows.HostShadowAlarmManager;
import marmoset.hosted.sandbox.shadows.HostShadowAutofillManager;
import marmoset.hosted.sandbox.shadows.HostShadowContextImpl;
import marmoset.hosted.sandbox.shadows.HostShadowEqualizer;
import marmoset.hosted.sandbox.shadows.HostShadowJobScheduler;
import marmoset.hosted.sandbox.shadows.HostShadowJobService;
import marmoset.hosted.sandbox.shadows.HostShadowLoadedApk;
import marmoset.hosted.sandbox.shadows.HostShadowMagnifier;
import marmoset.hosted.sandbox.shadows.HostShadowOldPaint;
import marmoset.hosted.sandbox.shadows.HostShadowOldStaticLayout;
import marmoset.hosted.sandbox.shadows.HostShadowPackageManager;
import marmoset.hosted.sandbox.shadows.HostShadowRecognizerIntent;
import marmoset.hosted.sandbox.shadows.HostShadowSearchManager;
import marmoset.hosted.sandbox.shadows.HostShadowService;
import marmoset.hosted.sandbox.shadows.HostShadowTabs;
import marmoset.hosted.sandbox.shadows.HostShadowUrlSpan;
import marmoset.hosted.sandbox.shadows.HostShadowViewRootImpl;
import marmoset.hosted.sandbox.shadows.HostShadowVisualizer;
import marmoset.hosted.sandbox.shadows.HostShadowWallpaperManager;
import marmoset.hosted.sandbox.shadows.HostShadowWebView;

/**
 * The shadows that replace Robolectric's. {@link ShadowPicks} knows them, so a method that they newly take over needs a new
 * run of the direct-call pass; hosted/setup sees to it. Only what is public in them is called directly.
 */
final class HostShadows {
  static List<Class<?>> of(int sdkLevel) {
    if (sdkLevel > HostShadowOldPaint.LAST_SDK) return ALL;
    List<Class<?>> all = new ArrayList<>(ALL);
    // A shadow that is not for the level would still keep Robolectric's own from it.
    all.addAll(List.of(HostShadowOldPaint.class, HostShadowOldStaticLayout.class));
    return all;
  }

  private static final List<Class<?>> ALL =
      List.of(
          HostShadowActivity.class,
          HostShadowAlarmManager.class,
          HostShadowAutofillManager.class,
          HostShadowContextImpl.class,
          HostShadowEqualizer.class,
          HostShadowJobScheduler.class,
          HostShadowJobService.class,
          HostShadowLoadedApk.class,
          HostShadowMagnifier.class,
          HostShadowPackageManager.class,
          HostShadowRecognizerIntent.class,
          HostShadowSearchManager.class,
          HostShadowService.class,
          HostShadowTabs.Group.class,
          HostShadowTabs.GroupOfTabs.class,
          HostShadowTabs.Host.class,
          HostShadowTabs.Spec.class,
          HostShadowTabs.Widget.class,
          HostShadowUrlSpan.class,
          HostShadowViewRootImpl.class,
          HostShadowVisualizer.class,
          HostShadowWallpaperManager.class,
          HostShadowWebView.class);

  private HostShadows() {}
}
