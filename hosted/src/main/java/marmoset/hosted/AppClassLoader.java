package marmoset.hosted;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

/**
 * Loads the app's own classes; a reset makes a new one, so that no static field survives.
 *
 * <p>As on a phone the framework wins over a class of the same name in the app, and the app wins over everything else.
 * The host's libraries (Guava, ICU, ASM and so on) are hidden: a class that the app did not bring must not be found.
 */
public final class AppClassLoader extends ClassLoader {
  static {
    registerAsParallelCapable();
  }

  private final HostClassLoader host;
  private final AppJar jar;

  public AppClassLoader(HostClassLoader host, AppJar jar) {
    super(host);
    this.host = host;
    this.jar = jar;
  }

  /** A class of the app itself, or null; never asks the parent. */
  Class<?> loadOwn(String name) {
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded != null) return loaded;
      byte[] bytes = jar.get(name.replace('.', '/') + ".class");
      if (bytes == null || host.isFramework(name)) return null;
      return defineClass(name, bytes, 0, bytes.length);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    Class<?> own = loadOwn(name);
    if (own != null) return own;
    if (!host.isVisibleToApp(name)) throw new ClassNotFoundException(name);
    return host.loadClass(name);
  }

  @Override
  public URL getResource(String name) {
    return jar.url(name);
  }

  @Override
  public Enumeration<URL> getResources(String name) {
    URL url = jar.url(name);
    return Collections.enumeration(url == null ? List.of() : List.of(url));
  }

  @Override
  public InputStream getResourceAsStream(String name) {
    byte[] bytes = jar.get(name);
    return bytes == null ? null : new ByteArrayInputStream(bytes);
  }
}
