package marmoset.hosted.sandbox;

import android.app.Activity;
import android.os.IBinder;
import android.view.View;
import android.view.ViewRootImpl;
import android.view.WindowManager;
import android.view.WindowManagerGlobal;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The windows on the screen, from back to front. Main thread. */
final class Windows {
  /** One window: its root view, its place in the app's area, and what kind it is. */
  record Window(View root, ViewRootImpl impl, WindowManager.LayoutParams params, int x, int y, String type) {
    boolean focusable() {
      return (params.flags & WindowManager.LayoutParams.FLAG_NOT_FOCUSABLE) == 0;
    }

    boolean touchable() {
      return (params.flags & WindowManager.LayoutParams.FLAG_NOT_TOUCHABLE) == 0;
    }

    boolean touchModal() {
      int flags = WindowManager.LayoutParams.FLAG_NOT_TOUCH_MODAL | WindowManager.LayoutParams.FLAG_NOT_FOCUSABLE;
      return (params.flags & flags) == 0;
    }

    boolean watchesOutside() {
      return (params.flags & WindowManager.LayoutParams.FLAG_WATCH_OUTSIDE_TOUCH) != 0;
    }

    boolean contains(float pointX, float pointY) {
      return pointX >= x && pointX < x + root.getWidth() && pointY >= y && pointY < y + root.getHeight();
    }
  }

  private static final Field VIEWS = Fields.of(WindowManagerGlobal.class, "mViews");
  private static final Field ROOTS = Fields.of(WindowManagerGlobal.class, "mRoots");
  private static final Field PARAMS = Fields.of(WindowManagerGlobal.class, "mParams");

  private Windows() {}

  @SuppressWarnings("unchecked")
  private static <T> List<T> list(Field field) {
    return (List<T>) Fields.get(field, WindowManagerGlobal.getInstance());
  }

  /** Windows of activities that are not visible are left out, and so are their dialogs and popups. */
  static List<Window> visible(ActivityStack stack) {
    List<ViewRootImpl> impls = list(ROOTS);
    List<WindowManager.LayoutParams> params = list(PARAMS);
    Map<IBinder, ActivityRecord> owners = new HashMap<>();
    List<List<Window>> byLayer = new ArrayList<>();
    List<ActivityRecord> records = stack.records();
    for (ActivityRecord record : records) {
      byLayer.add(new ArrayList<>());
      if (record.controller != null) owners.put(record.activity().getActivityToken(), record);
    }
    // Windows that belong to no activity (overlays of the application) are above all others.
    byLayer.add(new ArrayList<>());
    for (int i = 0; i < impls.size(); i++) {
      View root = impls.get(i).getView();
      if (root == null) continue;
      ActivityRecord owner = owners.get(params.get(i).token);
      if (root.getWindowToken() != null && owner != null) owners.put(root.getWindowToken(), owner);
      if (owner != null && (!owner.isVisible() || stack.top() == null)) continue;
      // A recreated activity leaves behind what hung on its old window; Android's window manager drops it.
      if (owner == null && params.get(i).token != null && belongsToActivity(params.get(i))) continue;
      if (owner == null && stack.isHome() && belongsToActivity(params.get(i))) {
        continue;
      }
      if (root.getVisibility() != View.VISIBLE || root.getWidth() <= 0 || root.getHeight() <= 0) continue;
      int[] at = new int[2];
      root.getLocationOnScreen(at);
      int layer = owner == null ? records.size() : records.indexOf(owner);
      byLayer.get(layer).add(new Window(root, impls.get(i), params.get(i), at[0], at[1], type(root, params.get(i), owner)));
    }
    List<Window> all = new ArrayList<>();
    for (List<Window> layer : byLayer) {
      // A panel may be added before its sibling dialog, but never shows below it: the type decides, then the age.
      layer.sort((a, b) -> Integer.compare(rank(a.params), rank(b.params)));
      all.addAll(layer);
    }
    return all;
  }

  private static boolean belongsToActivity(WindowManager.LayoutParams params) {
    return params.type < WindowManager.LayoutParams.FIRST_SYSTEM_WINDOW;
  }

  private static int rank(WindowManager.LayoutParams params) {
    return params.type == WindowManager.LayoutParams.TYPE_BASE_APPLICATION ? 0 : 1;
  }

  private static String type(View root, WindowManager.LayoutParams params, ActivityRecord owner) {
    if (params.type == WindowManager.LayoutParams.TYPE_TOAST) return "toast";
    boolean sub =
        params.type >= WindowManager.LayoutParams.FIRST_SUB_WINDOW
            && params.type <= WindowManager.LayoutParams.LAST_SUB_WINDOW;
    if (sub) return "popup";
    if (params.type >= WindowManager.LayoutParams.FIRST_SYSTEM_WINDOW) return "system";
    if (owner == null) return "dialog";
    Activity activity = owner.activity();
    return activity.getWindow().peekDecorView() == root ? "activity" : "dialog";
  }

  /** Which window gets keys; null where none can. */
  static Window focused(List<Window> windows) {
    for (int i = windows.size() - 1; i >= 0; i--) {
      if (windows.get(i).focusable()) return windows.get(i);
    }
    return null;
  }

  /** Takes away the window of a destroyed activity and all that hang on it (lists of spinners, forgotten dialogs). */
  static void removeOf(Activity activity) {
    WindowManagerGlobal manager = WindowManagerGlobal.getInstance();
    View decor = activity.getWindow() == null ? null : activity.getWindow().peekDecorView();
    IBinder window = decor == null ? null : decor.getWindowToken();
    List<View> views = new ArrayList<>(Windows.<View>list(VIEWS));
    List<WindowManager.LayoutParams> params = new ArrayList<>(Windows.<WindowManager.LayoutParams>list(PARAMS));
    for (int i = views.size() - 1; i >= 0; i--) {
      IBinder token = params.get(i).token;
      boolean owned = token != null && (token == window || token == activity.getActivityToken());
      if (owned && list(VIEWS).contains(views.get(i))) manager.removeView(views.get(i), true);
    }
  }

  /** Takes all windows away by force: what a dead process leaves behind. */
  static void clear() {
    list(VIEWS).clear();
    list(ROOTS).clear();
    list(PARAMS).clear();
  }
}
