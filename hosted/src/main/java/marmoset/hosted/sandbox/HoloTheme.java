package marmoset.hosted.sandbox;

import android.app.Application;
import android.content.pm.ActivityInfo;
import android.content.pm.ApplicationInfo;
import android.content.pm.PackageInfo;
import android.content.res.Resources;
import org.robolectric.Shadows;

/**
 * The look of Android 4. An app that names no theme, or the one of the device, got the theme Holo there: other heights of
 * the action bar and of the widgets than today, and a title that leads up. Recordings of coordinates from such a phone
 * need it. The theme is still in the framework; an app's own theme that is derived from the device's is left as it is.
 */
final class HoloTheme {
  private static final String DEVICE = "Theme.DeviceDefault";
  private static final String HOLO = "Theme.Holo";

  /** Apps for Android 2 got the look of Android 2. */
  private static final int FIRST_HOLO = 11;

  private HoloTheme() {}

  /** REQUIRES: none of its activities has been started. */
  static void apply(Application application) {
    PackageInfo info =
        Shadows.shadowOf(application.getPackageManager()).getInternalMutablePackageInfo(application.getPackageName());
    Resources resources = application.getResources();
    apply(info.applicationInfo, resources);
    apply(application.getApplicationInfo(), resources);
    if (info.activities == null) return;
    for (ActivityInfo activity : info.activities) {
      if (activity.theme != 0) activity.theme = holo(activity.theme, resources);
      apply(activity.applicationInfo, resources);
    }
  }

  private static void apply(ApplicationInfo info, Resources resources) {
    if (info == null) return;
    if (info.theme != 0) info.theme = holo(info.theme, resources);
    else if (info.targetSdkVersion >= FIRST_HOLO) info.theme = android.R.style.Theme_Holo;
  }

  private static int holo(int theme, Resources resources) {
    String name;
    try {
      if (!"android".equals(resources.getResourcePackageName(theme))) return theme;
      name = resources.getResourceEntryName(theme);
    } catch (Resources.NotFoundException e) {
      return theme;
    }
    if (!name.startsWith(DEVICE)) return theme;
    int found = resources.getIdentifier(HOLO + name.substring(DEVICE.length()), "style", "android");
    return found == 0 ? theme : found;
  }
}
