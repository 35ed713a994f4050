package marmoset.hosted.sandbox;

import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.Paint;
import android.view.View;
import java.io.ByteArrayOutputStream;
import org.robolectric.shadows.ShadowView;
import org.robolectric.util.ReflectionHelpers;

import static org.robolectric.util.ReflectionHelpers.ClassParameter.from;

/** Draws the whole display with all windows from back to front; the bars are plain. Main thread. */
final class Screenshot {
  private static final int DIM = 0x99000000;

  private static final Class<?> RENDERER =
      ReflectionHelpers.loadClass(ShadowView.class.getClassLoader(), "org.robolectric.shadows.HardwareRenderingScreenshot");

  private Screenshot() {}

  /** A PNG; the home screen is empty. */
  static byte[] take(ActivityStack stack, Actions actions, DisplayState display) {
    Bitmap screen = Bitmap.createBitmap(display.width(), display.height(), Bitmap.Config.ARGB_8888);
    try {
      Canvas canvas = new Canvas(screen);
      canvas.drawColor(Color.BLACK);
      if (stack != null) draw(stack, actions, display, canvas);
      Paint bar = new Paint();
      bar.setColor(0xff404040);
      canvas.drawRect(0, 0, display.width(), display.area().top, bar);
      canvas.drawRect(0, display.area().bottom, display.width(), display.height(), bar);
      ByteArrayOutputStream png = new ByteArrayOutputStream();
      screen.compress(Bitmap.CompressFormat.PNG, 100, png);
      return png.toByteArray();
    } finally {
      screen.recycle();
    }
  }

  private static void draw(ActivityStack stack, Actions actions, DisplayState display, Canvas canvas) {
    SystemScreen overlay = stack.overlay();
    if (overlay == null || overlay.dialog) {
      Actions.Typing typing = actions.typing();
      for (Windows.Window window : Windows.visible(stack)) {
        draw(window, display, canvas);
        if (typing != null && typing.root() == window.root()) actions.keyboard().draw(canvas, window.root());
      }
    }
    if (overlay != null) {
      if (overlay.dialog) canvas.drawColor(DIM);
      overlay.draw(canvas, display.density());
    }
  }

  private static void draw(Windows.Window window, DisplayState display, Canvas canvas) {
    View root = window.root();
    if ((window.params().flags & android.view.WindowManager.LayoutParams.FLAG_DIM_BEHIND) != 0) canvas.drawColor(DIM);
    Drawing.beginFrame(window.impl());
    Bitmap bitmap = Bitmap.createBitmap(root.getWidth(), root.getHeight(), Bitmap.Config.ARGB_8888);
    try {
      // Robolectric keeps its renderer to itself.
      if (ReflectionHelpers.<Boolean>callStaticMethod(RENDERER, "canTakeScreenshot", from(View.class, root))) {
        ReflectionHelpers.callStaticMethod(
            RENDERER, "takeScreenshot", from(View.class, root), from(Bitmap.class, bitmap));
      } else {
        root.draw(new Canvas(bitmap));
      }
      canvas.drawBitmap(bitmap, window.x(), window.y() + display.statusBar(), null);
    } finally {
      bitmap.recycle();
    }
  }
}
