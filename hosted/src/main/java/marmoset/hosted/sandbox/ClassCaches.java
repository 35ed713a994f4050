package marmoset.hosted.sandbox;

import android.animation.PropertyValuesHolder;
import android.app.Fragment;
import android.os.Parcel;
import android.transition.TransitionInflater;
import android.view.LayoutInflater;
import android.view.ViewDebug;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The framework's caches of classes. On a phone they die with the process; here the next process has other classes of the
 * same names, which must not meet these, and the old ones must not be kept from being collected. Main thread.
 */
final class ClassCaches {
  /** A null is a cache that this level of the platform does not have. */
  private static final List<Field> CACHES =
      Arrays.asList(
          Fields.of(LayoutInflater.class, "sConstructorMap"),
          Fields.of("android.preference.GenericInflater", "sConstructorMap"),
          Fields.of(Fragment.class, "sClassMap"),
          Fields.of(TransitionInflater.class, "sConstructors"),
          Fields.of(PropertyValuesHolder.class, "sSetterPropertyMap"),
          Fields.of(PropertyValuesHolder.class, "sGetterPropertyMap"),
          Fields.of("android.animation.PropertyValuesHolder$IntPropertyValuesHolder", "sJNISetterPropertyMap"),
          Fields.of("android.animation.PropertyValuesHolder$FloatPropertyValuesHolder", "sJNISetterPropertyMap"),
          Fields.of("android.animation.PropertyValuesHolder$MultiIntValuesHolder", "sJNISetterPropertyMap"),
          Fields.of("android.animation.PropertyValuesHolder$MultiFloatValuesHolder", "sJNISetterPropertyMap"),
          Fields.of(Parcel.class, "mCreators"),
          Fields.ifPresent(Parcel.class, "sPairedCreators"),
          Fields.ifPresent(ViewDebug.class, "sExportProperties"),
          Fields.ifPresent(ViewDebug.class, "sCapturedViewProperties"));

  private ClassCaches() {}

  /** Drops what belongs to the app's present process. */
  static void forgetApp() {
    ClassLoader app = AppClasses.loader();
    for (Field field : CACHES) {
      Map<?, ?> cache = field == null ? null : (Map<?, ?>) Fields.get(field, null);
      if (cache == null) continue;
      synchronized (cache) {
        cache
            .entrySet()
            .removeIf(entry -> Stream.of(entry.getKey(), entry.getValue()).anyMatch(o -> loader(o) == app));
      }
    }
  }

  /** Of a class, a constructor, or the loader itself; null for all else. */
  private static ClassLoader loader(Object object) {
    if (object instanceof Constructor<?> constructor) return constructor.getDeclaringClass().getClassLoader();
    if (object instanceof Class<?> type) return type.getClassLoader();
    return object instanceof ClassLoader loader ? loader : null;
  }
}
