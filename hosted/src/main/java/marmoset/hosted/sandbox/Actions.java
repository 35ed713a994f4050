package marmoset.hosted.sandbox;

import android.content.ActivityNotFoundException;
import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.net.Uri;
import android.view.KeyEvent;
import android.view.View;
import android.view.WindowManager;
import android.view.inputmethod.InputMethodManager;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import marmoset.hosted.RequestError;
import org.robolectric.Shadows;
import org.robolectric.shadows.ShadowInputMethodManager;

/**
 * The protocol's actions. Each starts something; Device waits for the app to be quiet afterwards. Main thread. Throws
 * RequestError for a malformed action; exceptions of the app pass through.
 */
final class Actions {
  /** A finger that comes from the status bar and goes down by more than this has pulled the notifications with it. */
  private static final int SHADE_PULL_DP = 48;

  private final AppProcess process;
  private final ActivityStack stack;
  private final DisplayState display;
  private final Quiescence quiescence;
  private final Input input;
  private final Keyboard keyboard;
  private final KeyboardRoom room = new KeyboardRoom();
  private final Supplier<Intent> launcher;
  private final NotificationShade notifications;

  Actions(
      AppProcess process,
      ActivityStack stack,
      Quiescence quiescence,
      DisplayState display,
      Supplier<Intent> launcher) {
    this.process = process;
    this.stack = stack;
    this.quiescence = quiescence;
    this.display = display;
    this.launcher = launcher;
    this.keyboard = new Keyboard(display);
    this.input = new Input(stack, quiescence, display);
    this.notifications = new NotificationShade(process.application(), stack::launchFromHome);
  }

  void perform(Map<String, Object> action) {
    String kind = text(action, "kind", "");
    SystemScreen overlay = stack.overlay();
    switch (kind) {
      case "launch" -> launch(text(action, "component", ""));
      case "intent" -> intent(action);
      case "key" -> key(text(action, "key", ""), overlay);
      case "rotate" -> display.rotate((int) number(action, "rotation") & 3, front());
      case "wait" -> quiescence.advance((long) number(action, "duration_ms"));
      case "permission" -> permission(Boolean.TRUE.equals(action.get("allow")), overlay);
      case "text" -> type(text(action, "text", ""), Boolean.TRUE.equals(action.get("replace")), overlay);
      case "tap", "double_tap", "long_tap", "swipe", "drag", "pinch" -> touch(kind, action, overlay);
      default -> throw new RequestError(RequestError.BAD_REQUEST, "no such action: " + kind);
    }
  }

  private android.app.Activity front() {
    return stack.top() == null ? null : stack.top().activity();
  }

  private void touch(String kind, Map<String, Object> action, SystemScreen overlay) {
    float x = (float) number(action, "x");
    float y = (float) number(action, "y");
    if (overlay != null) {
      overlay.tap((int) x, (int) y);
      return;
    }
    Typing typing = typing();
    if (typing != null && typing.onTop && keyboard.bounds(typing.root).contains((int) x, (int) y)) {
      if (kind.endsWith("tap")) keyboard.tap(typing.root, (int) x, (int) y);
      if (kind.equals("double_tap")) keyboard.tap(typing.root, (int) x, (int) y);
      return;
    }
    switch (kind) {
      case "tap" -> input.tap(x, y);
      case "double_tap" -> input.doubleTap(x, y);
      case "long_tap" -> input.longTap(x, y, duration(action, 700));
      case "pinch" ->
          input.pinch(
              new float[] {x, y, (float) number(action, "x2"), (float) number(action, "y2")},
              new float[] {
                (float) number(action, "to_x"), (float) number(action, "to_y"),
                (float) number(action, "to_x2"), (float) number(action, "to_y2")
              },
              duration(action, 300));
      default -> {
        float down = (float) number(action, "to_y") - y;
        if (y < display.statusBar() && down > SHADE_PULL_DP * display.density() / 160f) {
          openShade();
          return;
        }
        input.swipe(
            x, y, (float) number(action, "to_x"), (float) number(action, "to_y"), duration(action, 300),
            kind.equals("drag"));
      }
    }
  }

  private void launch(String component) {
    if (!process.isCreated()) process.create();
    Intent intent;
    if (component.isEmpty()) {
      intent = launcher.get();
    } else {
      ComponentName name = ComponentName.unflattenFromString(component);
      if (name == null) throw new RequestError(RequestError.BAD_REQUEST, "launch: no component name: " + component);
      intent = new Intent(Intent.ACTION_MAIN).setComponent(name);
      Intent usual = launcherOrNull();
      if (usual != null && name.equals(usual.getComponent())) intent = usual;
    }
    start(intent);
  }

  private Intent launcherOrNull() {
    try {
      return launcher.get();
    } catch (RequestError e) {
      return null;
    }
  }

  private void start(Intent intent) {
    try {
      stack.launchFromHome(intent);
    } catch (ActivityNotFoundException | IllegalArgumentException e) {
      throw new RequestError(RequestError.BAD_REQUEST, "launch: " + e.getMessage(), e);
    }
  }

  private void intent(Map<String, Object> action) {
    if (!process.isCreated()) process.create();
    Intent intent = new Intent();
    if (action.get("action") instanceof String name) intent.setAction(name);
    Uri data = action.get("data") instanceof String uri ? Uri.parse(uri) : null;
    String type = action.get("type") instanceof String mime ? mime : null;
    if (data != null || type != null) intent.setDataAndType(data, type);
    if (action.get("component") instanceof String name) intent.setComponent(ComponentName.unflattenFromString(name));
    if (action.get("categories") instanceof List<?> categories) {
      for (Object category : categories) intent.addCategory(String.valueOf(category));
    }
    if (action.get("extras") instanceof Map<?, ?> extras) {
      for (Map.Entry<?, ?> extra : extras.entrySet()) putExtra(intent, String.valueOf(extra.getKey()), extra.getValue());
    }
    start(intent);
  }

  private static void putExtra(Intent intent, String key, Object value) {
    if (value instanceof Boolean flag) intent.putExtra(key, flag.booleanValue());
    else if (value instanceof Double number) intent.putExtra(key, number.doubleValue());
    else if (value instanceof Long number && number == number.intValue()) intent.putExtra(key, number.intValue());
    else if (value instanceof Long number) intent.putExtra(key, number.longValue());
    else if (value != null) intent.putExtra(key, value.toString());
  }

  private void permission(boolean allow, SystemScreen overlay) {
    if (overlay == null || !overlay.dialog) return;
    if (allow) overlay.allow();
    else overlay.back();
  }

  private void type(String text, boolean replace, SystemScreen overlay) {
    if (overlay != null) return;
    Windows.Window window = Windows.focused(Windows.visible(stack));
    if (window != null) TextInput.type(window.root(), text, replace);
  }

  private void key(String name, SystemScreen overlay) {
    if (name.equals("HOME")) {
      hideKeyboard();
      stack.goHome();
      return;
    }
    if (name.equals("NOTIFICATION") && overlay == null) {
      openShade();
      return;
    }
    boolean back = name.equals("BACK");
    if (overlay != null) {
      if (back) overlay.back();
      return;
    }
    int code = KeyEvent.keyCodeFromString("KEYCODE_" + name);
    if (code == KeyEvent.KEYCODE_UNKNOWN) throw new RequestError(RequestError.BAD_REQUEST, "no such key: " + name);
    Typing typing = back ? typing() : null;
    boolean covered = typing != null && !typing.onTop;
    if (back && keyboardVisible() && !covered) {
      hideKeyboard();
      return;
    }
    input.key(code);
  }

  private void openShade() {
    hideKeyboard();
    SystemScreen shade = SystemScreen.shade(display.area(), stack::uncover);
    notifications.fill(shade, display.density(), stack::uncover);
    stack.cover(shade);
  }

  NotificationShade notifications() {
    return notifications;
  }

  boolean keyboardVisible() {
    return softInput().isSoftInputVisible();
  }

  /** After an action: the window under the keyboard becomes smaller, or large again. Returns whether it did. */
  boolean makeRoomForKeyboard() {
    Typing typing = typing();
    View root = typing == null ? null : typing.root;
    return room.make(root, root == null ? 0 : keyboard.bounds(root).top - display.area().top);
  }

  Keyboard keyboard() {
    return keyboard;
  }

  /** A keyboard on the screen: the root of the window that it types into, and whether no window covers both. */
  record Typing(View root, boolean onTop) {}

  /** The keyboard that is on the screen, or null. */
  Typing typing() {
    if (!display.keyboardDrawn() || stack.top() == null) return null;
    View root = null;
    boolean onTop = true;
    List<Windows.Window> windows = keyboardVisible() ? Windows.visible(stack) : List.of();
    for (int i = windows.size() - 1; i >= 0 && root == null; i--) {
      Windows.Window window = windows.get(i);
      if (!window.focusable()) continue;
      if (WindowManager.LayoutParams.mayUseInputMethod(window.params().flags)) {
        View field = window.root().findFocus();
        if (field == null || !field.onCheckIsTextEditor()) break;
        root = window.root();
      } else {
        // Such a window (a dialog without a field, the list of a spinner) lies above the keyboard and lets it be.
        onTop = false;
      }
    }
    if (root != null) return new Typing(root, onTop);
    // A window without a field in focus takes the keyboard away.
    hideKeyboard();
    keyboard.hidden();
    return null;
  }

  private void hideKeyboard() {
    InputMethodManager manager = manager();
    if (softInput().isSoftInputVisible()) manager.hideSoftInputFromWindow(null, 0);
  }

  private ShadowInputMethodManager softInput() {
    return Shadows.shadowOf(manager());
  }

  private InputMethodManager manager() {
    return (InputMethodManager) process.application().getSystemService(Context.INPUT_METHOD_SERVICE);
  }

  private static String text(Map<String, Object> action, String key, String fallback) {
    return action.get(key) instanceof String text ? text : fallback;
  }

  private static long duration(Map<String, Object> action, long fallback) {
    return action.get("duration_ms") instanceof Number number ? Math.min(number.longValue(), 60_000) : fallback;
  }

  private static double number(Map<String, Object> action, String key) {
    if (action.get(key) instanceof Number number) return number.doubleValue();
    throw new RequestError(RequestError.BAD_REQUEST, action.get("kind") + ": " + key + " is missing");
  }
}
