package marmoset.hosted.sandbox;

import android.app.Application;
import android.app.Notification;
import android.app.NotificationManager;
import android.app.PendingIntent;
import android.content.ActivityNotFoundException;
import android.content.Context;
import android.content.Intent;
import android.os.Build.VERSION;
import android.os.Bundle;
import android.service.notification.StatusBarNotification;
import android.util.Log;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.robolectric.Shadows;
import org.robolectric.shadows.ShadowPendingIntent;
import org.robolectric.versioning.AndroidVersions.T;

/**
 * The app's notifications: how many there are, and what the user can do with them in the shade that the key NOTIFICATION
 * opens. A notification opens what it is for, as do its buttons; "Clear all" dismisses those that may be dismissed. Main
 * thread.
 */
final class NotificationShade {
  private final Application application;
  private final Consumer<Intent> startActivity;

  /** {@code startActivity} opens an activity of the app as another app would. */
  NotificationShade(Application application, Consumer<Intent> startActivity) {
    this.application = application;
    this.startActivity = startActivity;
  }

  /** Newest first. */
  List<StatusBarNotification> posted() {
    // Since Android 13 the user is asked; until then nothing is shown.
    if (Math.min(VERSION.SDK_INT, application.getApplicationInfo().targetSdkVersion) >= T.SDK_INT
        && application.checkSelfPermission("android.permission.POST_NOTIFICATIONS") != 0) return List.of();
    List<StatusBarNotification> all = new ArrayList<>(List.of(manager().getActiveNotifications()));
    all.sort(
        Comparator.comparingLong((StatusBarNotification posted) -> -posted.getPostTime())
            .thenComparing(StatusBarNotification::getId, Comparator.reverseOrder())
            .thenComparing(posted -> String.valueOf(posted.getTag())));
    return all;
  }

  /** Fills an empty shade. {@code close} takes it from the screen. */
  void fill(SystemScreen shade, int density, Runnable close) {
    SystemScreen.Rows rows = new SystemScreen.Rows(shade, density);
    boolean clearable = false;
    for (StatusBarNotification posted : posted()) {
      Notification notification = posted.getNotification();
      clearable |= posted.isClearable();
      rows.add("android:id/status_bar_latest_event_content", text(notification), () -> open(posted, close));
      if (notification.actions == null) continue;
      for (Notification.Action action : notification.actions) {
        rows.add("android:id/action0", String.valueOf(action.title), () -> send(action.actionIntent, close));
      }
    }
    if (rows.isEmpty()) rows.add("com.android.systemui:id/no_notifications", "No notifications", null);
    if (clearable) rows.add("com.android.systemui:id/dismiss_text", "Clear all", () -> clear(close));
  }

  private String text(Notification notification) {
    Bundle extras = notification.extras;
    CharSequence title = extras.getCharSequence(Notification.EXTRA_TITLE);
    CharSequence text = extras.getCharSequence(Notification.EXTRA_TEXT);
    String label = String.valueOf(application.getApplicationInfo().loadLabel(application.getPackageManager()));
    if (title == null && text == null) return label;
    if (title == null || text == null) return String.valueOf(title == null ? text : title);
    return title + "\n" + text;
  }

  private void open(StatusBarNotification posted, Runnable close) {
    Notification notification = posted.getNotification();
    if ((notification.flags & Notification.FLAG_AUTO_CANCEL) != 0) manager().cancel(posted.getTag(), posted.getId());
    if (notification.contentIntent != null) send(notification.contentIntent, close);
  }

  private void clear(Runnable close) {
    for (StatusBarNotification posted : posted()) {
      if (!posted.isClearable()) continue;
      manager().cancel(posted.getTag(), posted.getId());
      if (posted.getNotification().deleteIntent != null) send(posted.getNotification().deleteIntent, () -> {});
    }
    close.run();
  }

  private void send(PendingIntent intent, Runnable close) {
    close.run();
    ShadowPendingIntent shadow = Shadows.shadowOf(intent);
    if (shadow.isCanceled()) return;
    if (shadow.isActivity()) {
      open(shadow.getSavedIntent());
      return;
    }
    try {
      intent.send();
    } catch (PendingIntent.CanceledException e) {
      // The app has taken it back: nothing happens.
    }
  }

  private void open(Intent intent) {
    try {
      startActivity.accept(intent);
    } catch (ActivityNotFoundException | IllegalArgumentException e) {
      Log.w("marmoset", "a notification opens nothing: " + e.getMessage());
    }
  }

  private NotificationManager manager() {
    return (NotificationManager) application.getSystemService(Context.NOTIFICATION_SERVICE);
  }
}
