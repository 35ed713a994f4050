package marmoset.hosted.sandbox;

import java.util.HashMap;
import java.util.Map;
import org.robolectric.annotation.ConscryptMode;
import org.robolectric.annotation.GraphicsMode;
import org.robolectric.annotation.LooperMode;
import org.robolectric.annotation.SQLiteMode;
import org.robolectric.annotation.experimental.LazyApplication.LazyLoad;
import org.robolectric.config.ConfigurationRegistry;

/**
 * Robolectric's modes, the same for every app; which shadow a class has follows from them. Run, it sets them before there is an
 * app.
 */
public final class Modes implements Runnable {
  static Map<Class<?>, Object> all() {
    Map<Class<?>, Object> modes = new HashMap<>();
    modes.put(ConscryptMode.Mode.class, ConscryptMode.Mode.OFF);
    modes.put(LooperMode.Mode.class, LooperMode.Mode.PAUSED);
    modes.put(LazyLoad.class, LazyLoad.ON);
    modes.put(GraphicsMode.Mode.class, GraphicsMode.Mode.NATIVE);
    modes.put(SQLiteMode.Mode.class, SQLiteMode.Mode.NATIVE);
    return modes;
  }

  @Override
  public void run() {
    ConfigurationRegistry.instance = new ConfigurationRegistry(all());
  }
}
