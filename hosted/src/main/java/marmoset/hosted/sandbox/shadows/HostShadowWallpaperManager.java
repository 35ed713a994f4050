package marmoset.hosted.sandbox.shadows;

import android.app.WallpaperManager;
import android.graphics.Bitmap;
import android.graphics.drawable.BitmapDrawable;
import android.graphics.drawable.Drawable;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowWallpaperManager;

/** A phone always has a wallpaper: what the app has set, or a plain one. */
@Implements(WallpaperManager.class)
public class HostShadowWallpaperManager extends ShadowWallpaperManager {
  private static final int WIDTH = 108;
  private static final int HEIGHT = 192;
  private static final int COLOR = 0xff37474f;

  @Implementation
  protected Drawable getDrawable() {
    Bitmap set = getBitmap(WallpaperManager.FLAG_SYSTEM);
    if (set == null) {
      set = Bitmap.createBitmap(WIDTH, HEIGHT, Bitmap.Config.ARGB_8888);
      set.eraseColor(COLOR);
    }
    return new BitmapDrawable(RuntimeEnvironment.getApplication().getResources(), set);
  }

  @Implementation
  protected Drawable peekDrawable() {
    return getDrawable();
  }

  @Implementation
  protected Drawable getFastDrawable() {
    return getDrawable();
  }

  @Implementation
  protected Drawable peekFastDrawable() {
    return getDrawable();
  }
}
