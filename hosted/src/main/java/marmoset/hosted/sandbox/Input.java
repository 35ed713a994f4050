package marmoset.hosted.sandbox;

import android.os.Build.VERSION;
import android.os.SystemClock;
import android.view.InputDevice;
import android.view.KeyCharacterMap;
import android.view.KeyEvent;
import android.view.MotionEvent;
import android.view.View;
import java.util.List;
import java.util.Map;
import org.robolectric.versioning.AndroidVersions.O;

/**
 * Fingers and keys. A gesture goes to the window that its first finger touched, to the end, even when the window moves
 * or the finger leaves it. Coordinates are the whole display's. Main thread; time passes while a gesture lasts.
 */
final class Input {
  private static final int TAP_MS = 30;
  private static final int FRAME_MS = 16;
  private static final int DRAG_REST_MS = 600;

  private final ActivityStack stack;
  private final Quiescence quiescence;
  private final DisplayState display;

  private Windows.Window target;
  private long downTime;

  Input(ActivityStack stack, Quiescence quiescence, DisplayState display) {
    this.stack = stack;
    this.quiescence = quiescence;
    this.display = display;
  }

  void tap(float x, float y) {
    down(x, y);
    quiescence.advance(TAP_MS);
    send(MotionEvent.ACTION_UP, x, y);
  }

  void doubleTap(float x, float y) {
    tap(x, y);
    quiescence.advance(80);
    tap(x, y);
  }

  void longTap(float x, float y, long duration) {
    down(x, y);
    quiescence.advance(duration);
    send(MotionEvent.ACTION_UP, x, y);
  }

  void swipe(float x, float y, float toX, float toY, long duration, boolean restFirst) {
    down(x, y);
    if (restFirst) quiescence.advance(DRAG_REST_MS);
    int steps = (int) Math.max(2, duration / FRAME_MS);
    for (int i = 1; i <= steps; i++) {
      quiescence.advance(Math.max(1, duration / steps));
      send(MotionEvent.ACTION_MOVE, x + (toX - x) * i / steps, y + (toY - y) * i / steps);
    }
    send(MotionEvent.ACTION_UP, toX, toY);
  }

  /** Two fingers; from[] and to[] hold x, y of the first and x, y of the second. */
  void pinch(float[] from, float[] to, long duration) {
    down(from[0], from[1]);
    sendTwo(MotionEvent.ACTION_POINTER_DOWN | (1 << MotionEvent.ACTION_POINTER_INDEX_SHIFT), from);
    int steps = (int) Math.max(2, duration / FRAME_MS);
    float[] at = new float[4];
    for (int i = 1; i <= steps; i++) {
      quiescence.advance(Math.max(1, duration / steps));
      for (int k = 0; k < 4; k++) at[k] = from[k] + (to[k] - from[k]) * i / steps;
      sendTwo(MotionEvent.ACTION_MOVE, at);
    }
    sendTwo(MotionEvent.ACTION_POINTER_UP | (1 << MotionEvent.ACTION_POINTER_INDEX_SHIFT), to);
    send(MotionEvent.ACTION_UP, to[0], to[1]);
  }

  private void down(float x, float y) {
    downTime = SystemClock.uptimeMillis();
    target = null;
    float appY = y - display.statusBar();
    if (!display.area().contains((int) x, (int) y)) return;
    List<Windows.Window> windows = Windows.visible(stack);
    for (int i = windows.size() - 1; i >= 0; i--) {
      Windows.Window window = windows.get(i);
      if (!window.touchable()) continue;
      if (window.touchModal() || window.contains(x, appY)) {
        target = window;
        break;
      }
      if (window.watchesOutside()) outside(window, x, appY);
    }
    send(MotionEvent.ACTION_DOWN, x, y);
  }

  private void outside(Windows.Window window, float x, float appY) {
    MotionEvent event =
        MotionEvent.obtain(downTime, downTime, MotionEvent.ACTION_OUTSIDE, x - window.x(), appY - window.y(), 0);
    event.setSource(InputDevice.SOURCE_TOUCHSCREEN);
    window.root().dispatchTouchEvent(event);
    event.recycle();
  }

  private void send(int action, float x, float y) {
    if (target == null) return;
    MotionEvent event = MotionEvent.obtain(downTime, SystemClock.uptimeMillis(), action, x, y - display.statusBar(), 0);
    dispatch(event);
  }

  private void sendTwo(int action, float[] at) {
    if (target == null) return;
    MotionEvent.PointerProperties[] properties = new MotionEvent.PointerProperties[2];
    MotionEvent.PointerCoords[] coordinates = new MotionEvent.PointerCoords[2];
    for (int i = 0; i < 2; i++) {
      properties[i] = new MotionEvent.PointerProperties();
      properties[i].id = i;
      properties[i].toolType = MotionEvent.TOOL_TYPE_FINGER;
      coordinates[i] = new MotionEvent.PointerCoords();
      coordinates[i].x = at[2 * i];
      coordinates[i].y = at[2 * i + 1] - display.statusBar();
      coordinates[i].pressure = 1;
      coordinates[i].size = 1;
    }
    dispatch(
        MotionEvent.obtain(
            downTime, SystemClock.uptimeMillis(), action, 2, properties, coordinates, 0, 0, 1, 1, 0, 0,
            InputDevice.SOURCE_TOUCHSCREEN, 0));
  }

  private void dispatch(MotionEvent event) {
    event.setSource(InputDevice.SOURCE_TOUCHSCREEN);
    event.offsetLocation(-target.x(), -target.y());
    // A view may take its window away while it handles the event.
    if (target.root().isAttachedToWindow()) target.root().dispatchTouchEvent(event);
    event.recycle();
  }

  /** Presses and releases a key in the focused window. */
  void key(int keyCode) {
    Windows.Window window = Windows.focused(Windows.visible(stack));
    if (window == null) return;
    long now = SystemClock.uptimeMillis();
    press(window.root(), keyEvent(now, KeyEvent.ACTION_DOWN, keyCode));
    quiescence.advance(TAP_MS);
    if (window.root().isAttachedToWindow()) press(window.root(), keyEvent(now, KeyEvent.ACTION_UP, keyCode));
  }

  private static KeyEvent keyEvent(long downTime, int action, int keyCode) {
    return new KeyEvent(
        downTime, SystemClock.uptimeMillis(), action, keyCode, 0, 0, KeyCharacterMap.VIRTUAL_KEYBOARD, 0,
        KeyEvent.FLAG_FROM_SYSTEM, InputDevice.SOURCE_KEYBOARD);
  }

  private static void press(View root, KeyEvent event) {
    if (root.dispatchKeyEventPreIme(event) || root.dispatchKeyEvent(event)) return;
    if (event.getAction() == KeyEvent.ACTION_DOWN) moveFocus(root, event.getKeyCode());
  }

  /** What the window does with a direction key that no view wanted. */
  private static void moveFocus(View root, int keyCode) {
    Integer direction =
        Map.of(
                KeyEvent.KEYCODE_DPAD_UP, View.FOCUS_UP,
                KeyEvent.KEYCODE_DPAD_DOWN, View.FOCUS_DOWN,
                KeyEvent.KEYCODE_DPAD_LEFT, View.FOCUS_LEFT,
                KeyEvent.KEYCODE_DPAD_RIGHT, View.FOCUS_RIGHT,
                KeyEvent.KEYCODE_TAB, View.FOCUS_FORWARD)
            .get(keyCode);
    if (direction == null) return;
    View focused = root.findFocus();
    View next = focused == null ? null : focused.focusSearch(direction);
    if (next != null) next.requestFocus(direction);
    else if (focused == null && VERSION.SDK_INT >= O.SDK_INT) root.restoreDefaultFocus();
    else if (focused == null) root.requestFocus(direction);
  }
}
