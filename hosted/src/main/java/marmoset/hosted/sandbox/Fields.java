package marmoset.hosted.sandbox;

import java.lang.reflect.Field;

/** Private fields of the platform, by reflection. One that is not there is a fault of ours, not the app's. */
final class Fields {
  private Fields() {}

  static Field of(String className, String name) {
    try {
      return of(Class.forName(className), name);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  static Field of(Class<?> owner, String name) {
    try {
      Field field = owner.getDeclaredField(name);
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Null where this level of the platform has no such field. */
  static Field ifPresent(Class<?> owner, String name) {
    for (Field field : owner.getDeclaredFields()) {
      if (field.getName().equals(name)) return of(owner, name);
    }
    return null;
  }

  static void set(Field field, Object owner, Object value) {
    try {
      field.set(owner, value);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  static Object get(Field field, Object owner) {
    try {
      return field.get(owner);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
