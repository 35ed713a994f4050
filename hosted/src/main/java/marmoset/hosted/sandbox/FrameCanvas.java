package marmoset.hosted.sandbox;

import android.graphics.Canvas;
import android.graphics.RenderNode;
import android.os.Build;
import android.view.View;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.versioning.AndroidVersions.O;
import org.robolectric.versioning.AndroidVersions.Q;

import static org.robolectric.util.ReflectionHelpers.ClassParameter.from;

/**
 * What a window draws a frame on: a canvas that records for the hardware, as far as this level of the platform has one here.
 * The recording is thrown away. Main thread.
 */
abstract class FrameCanvas {
  static FrameCanvas create() {
    if (Build.VERSION.SDK_INT >= Q.SDK_INT) return new OfRenderNode();
    return Build.VERSION.SDK_INT >= O.SDK_INT ? new OfHiddenRenderNode() : new OfNothing();
  }

  /** For a frame of the window with this root. */
  abstract Canvas begin(View root);

  /** REQUIRES: {@code canvas} is the one that begin returned last. */
  abstract void end(Canvas canvas);

  private static final class OfRenderNode extends FrameCanvas {
    private final RenderNode node = RenderNode.create("window", null);

    @Override
    Canvas begin(View root) {
      return node.beginRecording(root.getWidth(), root.getHeight());
    }

    @Override
    void end(Canvas canvas) {
      node.endRecording();
      node.discardDisplayList();
    }
  }

  /** Before Android 10 the same was the framework's own; its animations, such as ripples, ask it for the view. */
  private static final class OfHiddenRenderNode extends FrameCanvas {
    private final Class<?> nodeType = framework("android.view.RenderNode");
    private final Class<?> canvasType = framework("android.view.DisplayListCanvas");
    private Object node;

    private static Class<?> framework(String name) {
      return ReflectionHelpers.loadClass(View.class.getClassLoader(), name);
    }

    @Override
    Canvas begin(View root) {
      node = ReflectionHelpers.callStaticMethod(nodeType, "create", from(String.class, "window"), from(View.class, root));
      return ReflectionHelpers.callInstanceMethod(
          node, "start", from(int.class, root.getWidth()), from(int.class, root.getHeight()));
    }

    @Override
    void end(Canvas canvas) {
      ReflectionHelpers.callInstanceMethod(node, "end", new ReflectionHelpers.ClassParameter<>(canvasType, canvas));
      ReflectionHelpers.callInstanceMethod(node, "discardDisplayList");
    }
  }

  /** Before Android 8 there is no renderer here: a canvas without pixels. */
  private static final class OfNothing extends FrameCanvas {
    @Override
    Canvas begin(View root) {
      return new Canvas();
    }

    @Override
    void end(Canvas canvas) {}
  }
}
