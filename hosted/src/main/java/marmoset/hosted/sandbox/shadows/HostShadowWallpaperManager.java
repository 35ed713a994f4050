package marmoset.hosted.sandbox.shadows;

import android.app.WallpaperManager;
import android.graphics.Bitmap;
import android.graphics.Rect;
import android.graphics.drawable.BitmapDrawable;
import android.graphics.drawable.Drawable;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowWallpaperManager;

/** A phone always has a wallpaper: a copy of what the app has set, or a plain one. Each who asks gets an image of their own. */
@Implements(WallpaperManager.class)
public class HostShadowWallpaperManager extends ShadowWallpaperManager {
  /** WallpaperManager.FLAG_SYSTEM, which Android 6 does not have. */
  private static final int HOME_SCREEN = 1;

  private static final int WIDTH = 108;
  private static final int HEIGHT = 192;
  private static final int COLOR = 0xff37474f;

  @Implementation
  @Override
  protected int setBitmap(Bitmap image, Rect visible, boolean allowBackup, int which) {
    return super.setBitmap(image == null ? null : copy(image), visible, allowBackup, which);
  }

  @Implementation
  protected Drawable getDrawable() {
    Bitmap set = getBitmap(HOME_SCREEN);
    Bitmap shown = set == null ? Bitmap.createBitmap(WIDTH, HEIGHT, Bitmap.Config.ARGB_8888) : copy(set);
    if (set == null) shown.eraseColor(COLOR);
    return new BitmapDrawable(RuntimeEnvironment.getApplication().getResources(), shown);
  }

  private static Bitmap copy(Bitmap image) {
    return image.copy(Bitmap.Config.ARGB_8888, false);
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
