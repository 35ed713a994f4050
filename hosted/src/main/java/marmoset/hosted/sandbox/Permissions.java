package marmoset.hosted.sandbox;

import android.app.Application;
import android.content.Context;
import android.content.Intent;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.robolectric.Shadows;
import org.robolectric.shadows.ShadowApplication;

/**
 * Which permissions the app holds. Ordinary ones from the manifest are granted at installation, dangerous ones when the
 * user allows them; an app for Android 5 or earlier gets all of them at installation. Main thread.
 */
final class Permissions {
  /** The user's answer is wanted for {@code asked}; {@code text} is null where there is nothing to ask. */
  record Question(List<String> asked, String text) {}

  private static final String PREFIX = "android.permission.";

  private static final Set<String> DANGEROUS =
      Set.of(
          "READ_CALENDAR", "WRITE_CALENDAR", "CAMERA", "READ_CONTACTS", "WRITE_CONTACTS", "GET_ACCOUNTS",
          "ACCESS_FINE_LOCATION", "ACCESS_COARSE_LOCATION", "ACCESS_BACKGROUND_LOCATION", "ACCESS_MEDIA_LOCATION",
          "RECORD_AUDIO", "READ_PHONE_STATE", "READ_PHONE_NUMBERS", "CALL_PHONE", "ANSWER_PHONE_CALLS", "READ_CALL_LOG",
          "WRITE_CALL_LOG", "ADD_VOICEMAIL", "USE_SIP", "PROCESS_OUTGOING_CALLS", "BODY_SENSORS", "ACTIVITY_RECOGNITION",
          "SEND_SMS", "RECEIVE_SMS", "READ_SMS", "RECEIVE_WAP_PUSH", "RECEIVE_MMS", "READ_EXTERNAL_STORAGE",
          "WRITE_EXTERNAL_STORAGE", "READ_MEDIA_IMAGES", "READ_MEDIA_VIDEO", "READ_MEDIA_AUDIO", "POST_NOTIFICATIONS",
          "NEARBY_WIFI_DEVICES", "BLUETOOTH_SCAN", "BLUETOOTH_CONNECT", "BLUETOOTH_ADVERTISE", "UWB_RANGING");

  private final Set<String> declared = new LinkedHashSet<>();
  private final Set<String> granted = new LinkedHashSet<>();
  private ShadowApplication application;

  static boolean isRequest(Intent intent) {
    return PackageManager.ACTION_REQUEST_PERMISSIONS.equals(intent.getAction());
  }

  /** Grants what an installation grants. REQUIRES: the package is known to the package manager. */
  void install(Application app) {
    application = Shadows.shadowOf(app);
    PackageInfo info;
    try {
      info = app.getPackageManager().getPackageInfo(app.getPackageName(), PackageManager.GET_PERMISSIONS);
    } catch (PackageManager.NameNotFoundException e) {
      throw new IllegalStateException(e);
    }
    boolean old = app.getApplicationInfo().targetSdkVersion < 23;
    if (info.requestedPermissions == null) return;
    for (String permission : info.requestedPermissions) {
      declared.add(permission);
      if (old || !isDangerous(permission)) grant(List.of(permission));
      else application.denyPermissions(permission);
    }
  }

  private static boolean isDangerous(String permission) {
    return permission.startsWith(PREFIX) && DANGEROUS.contains(permission.substring(PREFIX.length()));
  }

  void grant(List<String> permissions) {
    granted.addAll(permissions);
    application.grantPermissions(permissions.toArray(new String[0]));
  }

  /** Takes over what another process of the app has been granted. */
  void restore(Permissions other) {
    grant(List.copyOf(other.granted));
  }

  void deny(List<String> permissions) {
    granted.removeAll(permissions);
    application.denyPermissions(permissions.toArray(new String[0]));
  }

  Question ask(Context context, Intent request) {
    List<String> asked = new ArrayList<>();
    for (String name : names(request)) {
      // What the manifest does not declare is denied without a question.
      if (declared.contains(name) && !granted.contains(name)) asked.add(name);
    }
    if (asked.isEmpty()) return new Question(asked, null);
    StringBuilder text = new StringBuilder("Allow " + context.getApplicationInfo().loadLabel(context.getPackageManager()));
    text.append(" to use:");
    for (String name : asked) text.append("\n").append(name.substring(name.lastIndexOf('.') + 1));
    return new Question(asked, text.toString());
  }

  /** The result that the request's caller gets, from what is granted now. */
  Intent answer(Intent request) {
    String[] names = names(request);
    int[] results = new int[names.length];
    for (int i = 0; i < names.length; i++) {
      results[i] =
          granted.contains(names[i]) ? PackageManager.PERMISSION_GRANTED : PackageManager.PERMISSION_DENIED;
    }
    return new Intent(PackageManager.ACTION_REQUEST_PERMISSIONS)
        .putExtra(PackageManager.EXTRA_REQUEST_PERMISSIONS_NAMES, names)
        .putExtra(PackageManager.EXTRA_REQUEST_PERMISSIONS_RESULTS, results);
  }

  private static String[] names(Intent request) {
    String[] names = request.getStringArrayExtra(PackageManager.EXTRA_REQUEST_PERMISSIONS_NAMES);
    return names == null ? new String[0] : names;
  }
}
