package marmoset.hosted.sandbox;

import java.lang.ref.Cleaner;
import org.robolectric.res.android.CppAssetManager2.Theme;
import org.robolectric.res.android.NativeObjRegistry;
import org.robolectric.res.android.Registries;

/**
 * Frees Robolectric's half of a theme when Android's half is collected. Robolectric keeps all until the JVM ends, some 80
 * KB for each window and themed context, so that a long run would fill the heap. Any thread.
 */
final class NativeThemes {
  private static final Cleaner CLEANER = Cleaner.create();

  private NativeThemes() {}

  static boolean isTheme(Object object) {
    return object.getClass().getName().equals("android.content.res.ResourcesImpl$ThemeImpl");
  }

  static void freeWith(Object theme, long pointer) {
    NativeObjRegistry<Theme> registry = Registries.NATIVE_THEME9_REGISTRY;
    CLEANER.register(theme, () -> registry.unregister(pointer));
  }
}
