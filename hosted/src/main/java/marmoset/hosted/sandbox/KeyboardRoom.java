package marmoset.hosted.sandbox;

import android.view.Gravity;
import android.view.View;
import android.view.ViewGroup;
import android.view.WindowManager;
import android.view.WindowManagerGlobal;

/**
 * Makes a window smaller while a keyboard that is drawn covers its lower part. As on Android: where the window asks for
 * that, or leaves it to the system and holds something that scrolls. Windows that are to be moved instead stay where they
 * are. Main thread.
 */
final class KeyboardRoom {
  private View smaller;

  /** {@code typing} is the root of the keyboard's window, null where none is shown. Returns whether a window changed. */
  boolean make(View typing, int height) {
    View wanted = typing != null && (typing == smaller || resizes(typing)) ? typing : null;
    boolean changed = false;
    if (smaller != null && smaller != wanted && smaller.isAttachedToWindow()) {
      setHeight(smaller, WindowManager.LayoutParams.MATCH_PARENT);
      changed = true;
    }
    smaller = wanted;
    // The app may have set its window's attributes, and with them its full height.
    if (wanted != null && params(wanted).height != height) {
      setHeight(wanted, height);
      changed = true;
    }
    return changed;
  }

  private static WindowManager.LayoutParams params(View root) {
    return (WindowManager.LayoutParams) root.getLayoutParams();
  }

  private static boolean resizes(View root) {
    if (params(root).height != WindowManager.LayoutParams.MATCH_PARENT) return false;
    int adjust = params(root).softInputMode & WindowManager.LayoutParams.SOFT_INPUT_MASK_ADJUST;
    if (adjust == WindowManager.LayoutParams.SOFT_INPUT_ADJUST_UNSPECIFIED) return canScroll(root);
    return adjust == WindowManager.LayoutParams.SOFT_INPUT_ADJUST_RESIZE;
  }

  private static boolean canScroll(View view) {
    if (view.getVisibility() != View.VISIBLE) return false;
    if (view.isScrollContainer()) return true;
    if (!(view instanceof ViewGroup group)) return false;
    for (int i = 0; i < group.getChildCount(); i++) {
      if (canScroll(group.getChildAt(i))) return true;
    }
    return false;
  }

  private static void setHeight(View root, int height) {
    WindowManager.LayoutParams params = new WindowManager.LayoutParams();
    params.copyFrom(params(root));
    params.height = height;
    params.gravity = height == WindowManager.LayoutParams.MATCH_PARENT ? 0 : Gravity.TOP;
    WindowManagerGlobal.getInstance().updateViewLayout(root, params);
  }
}
