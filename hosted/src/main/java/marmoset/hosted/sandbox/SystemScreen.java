package marmoset.hosted.sandbox;

import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.Paint;
import android.graphics.Rect;
import java.util.ArrayList;
import java.util.List;

/**
 * A screen that is not the app's: the permission dialog, the notification shade, or the stub of another app that answered
 * an intent. It is plain
 * data with a few boxes; taps on its buttons and BACK run their actions. Main thread.
 */
final class SystemScreen {
  /** One line of text or one button. {@code onTap} is null for text. */
  record Item(String widgetClass, String id, String text, Rect bounds, Runnable onTap) {}

  final String packageName;
  final String activityName;
  final boolean dialog;
  final Rect bounds;
  final List<Item> items = new ArrayList<>();
  private final Runnable onBack;

  private SystemScreen(String packageName, String activityName, boolean dialog, Rect bounds, Runnable onBack) {
    this.packageName = packageName;
    this.activityName = activityName;
    this.dialog = dialog;
    this.bounds = bounds;
    this.onBack = onBack;
  }

  /** The dialog that asks for permissions. BACK denies, as the dialog's second button does. */
  static SystemScreen permission(Rect area, int density, String text, Runnable allow, Runnable deny) {
    int unit = density / 10;
    Rect box = new Rect(area.left + unit * 2, area.centerY() - unit * 9, area.right - unit * 2, area.centerY() + unit * 9);
    String owner = "com.android.permissioncontroller";
    SystemScreen screen = new SystemScreen(owner, owner + ".permission.ui.GrantPermissionsActivity", true, box, deny);
    int row = box.height() / 4;
    screen.items.add(
        new Item(
            "android.widget.TextView",
            owner + ":id/permission_message",
            text,
            new Rect(box.left, box.top, box.right, box.top + 2 * row),
            null));
    screen.items.add(
        new Item(
            "android.widget.Button",
            owner + ":id/permission_allow_button",
            "Allow",
            new Rect(box.left, box.top + 2 * row, box.right, box.top + 3 * row),
            allow));
    screen.items.add(
        new Item(
            "android.widget.Button",
            owner + ":id/permission_deny_button",
            "Don’t allow",
            new Rect(box.left, box.top + 3 * row, box.right, box.bottom),
            deny));
    return screen;
  }

  /** The shade with the notifications, which covers the screen; {@link Rows} fill it. BACK closes it. */
  static SystemScreen shade(Rect area, Runnable onBack) {
    return new SystemScreen(
        "com.android.systemui", "com.android.systemui.shade.NotificationShade", false, area, onBack);
  }

  /** Fills a screen with boxes from top to bottom, below those it has, as far as there is room. */
  static final class Rows {
    private final SystemScreen screen;
    private final int line;
    private int top;

    Rows(SystemScreen screen, int density) {
      this.screen = screen;
      this.line = density / 8;
      this.top = screen.items.isEmpty() ? screen.bounds.top : screen.items.get(screen.items.size() - 1).bounds.bottom;
    }

    boolean isEmpty() {
      return screen.items.isEmpty();
    }

    void add(String id, String text, Runnable onTap) {
      int height = (text.split("\n").length + 1) * line;
      if (top + height > screen.bounds.bottom) return;
      String type = onTap == null ? "android.widget.TextView" : "android.widget.Button";
      Rect bounds = new Rect(screen.bounds.left, top, screen.bounds.right, top + height);
      screen.items.add(new Item(type, id, text, bounds, onTap));
      top += height;
    }
  }

  /** Another app's screen: its name, and nothing to tap unless {@link Rows} are put below. BACK leaves it. */
  static SystemScreen neighbour(Rect area, int density, Neighbours.App app, String activity, Runnable onBack) {
    SystemScreen screen = new SystemScreen(app.packageName(), app.packageName() + activity, false, area, onBack);
    int row = density / 160 * 56;
    screen.items.add(
        new Item(
            "android.widget.TextView",
            "android:id/title",
            app.label(),
            new Rect(area.left, area.top, area.right, area.top + row),
            null));
    return screen;
  }

  void tap(int x, int y) {
    for (Item item : items) {
      if (item.onTap != null && item.bounds.contains(x, y)) {
        item.onTap.run();
        return;
      }
    }
  }

  /** The dialog's first button. REQUIRES: dialog. */
  void allow() {
    for (Item item : items) {
      if (item.onTap != null) {
        item.onTap.run();
        return;
      }
    }
  }

  void back() {
    onBack.run();
  }

  void draw(Canvas canvas, int density) {
    Paint paint = new Paint(Paint.ANTI_ALIAS_FLAG);
    paint.setColor(Color.WHITE);
    canvas.drawRect(bounds, paint);
    paint.setTextSize(density / 10f);
    for (Item item : items) {
      if (item.onTap != null) {
        paint.setColor(0xffe0e0e0);
        Rect inner = new Rect(item.bounds);
        inner.inset(density / 40, density / 40);
        canvas.drawRect(inner, paint);
      }
      paint.setColor(Color.BLACK);
      int line = 0;
      for (String text : item.text.split("\n")) {
        float baseline = item.bounds.top + density / 8f + line * density / 8f;
        canvas.drawText(text, item.bounds.left + density / 16f, baseline, paint);
        line++;
      }
    }
  }
}
