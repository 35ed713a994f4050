package marmoset.hosted.sandbox;

/**
 * The class loader of the app's present process, for the shadows that the framework asks for it. Set at every reset;
 * any thread.
 */
public final class AppClasses {
  private static volatile ClassLoader loader;

  private AppClasses() {}

  static void setLoader(ClassLoader newLoader) {
    loader = newLoader;
  }

  /** The app's class loader; the sandbox's own one before the first app is opened. */
  public static ClassLoader loader() {
    ClassLoader current = loader;
    return current != null ? current : AppClasses.class.getClassLoader();
  }

  /** A class of the app or the framework by its name. */
  public static Class<?> forName(String name) throws ClassNotFoundException {
    return Class.forName(name, true, loader());
  }
}
