package marmoset.hosted.sandbox;

import android.graphics.Canvas;
import android.graphics.Rect;
import android.os.SystemClock;
import android.view.View;
import android.view.ViewGroup;
import android.view.ViewRootImpl;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.robolectric.util.ReflectionHelpers;

/**
 * Has windows draw themselves, as a phone does in each frame: what an app does in onDraw, and what its animations of views
 * do at their ends, happens only there. The drawing is recorded and thrown away.
 *
 * <p>A phone draws each frame in which something has changed. Here a window draws in each frame while an animation of a
 * view runs in it, and else once, at the end of the action: what lies between can be seen by nobody. Main thread.
 */
public final class Drawing {
  private static final int FLAG_RUN_ANIMATION = 0x8;

  private static final Field ATTACH_INFO = Fields.of(ViewRootImpl.class, "mAttachInfo");
  private static final Field DIRTY = Fields.of(ViewRootImpl.class, "mDirty");
  private static final Field IS_ANIMATING = Fields.of(ViewRootImpl.class, "mIsAnimating");
  private static final Field DRAWING_TIME = Fields.of("android.view.View$AttachInfo", "mDrawingTime");
  private static final Field SCROLL_CHANGED = Fields.of("android.view.View$AttachInfo", "mViewScrollChanged");
  private static final Field DISAPPEARING_CHILDREN = Fields.of(ViewGroup.class, "mDisappearingChildren");
  private static final Field GROUP_FLAGS = Fields.of(ViewGroup.class, "mGroupFlags");

  private static final FrameCanvas FRAME = FrameCanvas.create();
  private static final Set<ViewRootImpl> waiting = new LinkedHashSet<>();

  private Drawing() {}

  /** A window's turn in a frame; `all` where it is to be drawn even if it says that nothing has changed. */
  public static void frame(ViewRootImpl window, boolean all) {
    View root = window.getView();
    if (root == null) return;
    Object info = Fields.get(ATTACH_INFO, window);
    if ((Boolean) Fields.get(SCROLL_CHANGED, info)) {
      Fields.set(SCROLL_CHANGED, info, false);
      ReflectionHelpers.callInstanceMethod(root.getViewTreeObserver(), "dispatchOnScrollChanged");
    }
    Rect changed = (Rect) Fields.get(DIRTY, window);
    if (all) changed.set(0, 0, root.getWidth(), root.getHeight());
    if (changed.isEmpty() && !(Boolean) Fields.get(IS_ANIMATING, window)) return;
    if (isAnimating(root)) {
      waiting.remove(window);
      draw(window);
    } else {
      waiting.add(window);
    }
  }

  /** The end of an action. */
  static void finish() {
    List<ViewRootImpl> windows = new ArrayList<>(waiting);
    waiting.clear();
    for (ViewRootImpl window : windows) draw(window);
  }

  /** The process has ended. */
  static void forget() {
    waiting.clear();
  }

  /** What a window draws next, it draws as of now. */
  static void beginFrame(ViewRootImpl window) {
    Fields.set(DRAWING_TIME, Fields.get(ATTACH_INFO, window), SystemClock.uptimeMillis());
  }

  private static void draw(ViewRootImpl window) {
    View root = window.getView();
    if (root == null || root.getWidth() == 0 || root.getHeight() == 0) return;
    root.getViewTreeObserver().dispatchOnDraw();
    Rect changed = (Rect) Fields.get(DIRTY, window);
    Rect clip = new Rect(changed);
    changed.setEmpty();
    Fields.set(IS_ANIMATING, window, false);
    beginFrame(window);
    Canvas canvas = FRAME.begin(root);
    try {
      canvas.clipRect(clip);
      root.draw(canvas);
    } finally {
      FRAME.end(canvas);
    }
  }

  private static boolean isAnimating(View view) {
    if (view.getAnimation() != null) return true;
    if (view.getVisibility() != View.VISIBLE || !(view instanceof ViewGroup group)) return false;
    List<?> disappearing = (List<?>) Fields.get(DISAPPEARING_CHILDREN, group);
    if (disappearing != null && !disappearing.isEmpty()) return true;
    if (group.getLayoutAnimation() != null && (((Integer) Fields.get(GROUP_FLAGS, group)) & FLAG_RUN_ANIMATION) != 0) {
      return true;
    }
    for (int i = 0; i < group.getChildCount(); i++) {
      if (isAnimating(group.getChildAt(i))) return true;
    }
    return false;
  }
}
