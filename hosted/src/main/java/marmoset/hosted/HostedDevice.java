package marmoset.hosted;

import java.util.List;
import java.util.Map;

/**
 * The device as the request loop sees it. The implementation lives inside the sandbox, whose classes come from another
 * class loader; so this interface and all that crosses it are plain JDK types.
 *
 * <p>All methods but {@link #newHits}, {@link #observeDead}, {@link #onDeath} and {@link #isApp} must be called on the
 * sandbox's main thread. They throw {@link RequestError}.
 */
public interface HostedDevice {
  /** Takes the APK and the profile, brings the app up once, and says which package and launcher activity it has. */
  Map<String, Object> open(Map<String, Object> arguments);

  /**
   * Gives the app a new process and empty data; nothing is launched. Random numbers follow from the seed, the order of
   * threads from both. REQUIRES: open succeeded.
   */
  void reset(long seed, long scheduleSeed);

  /**
   * Performs one action, waits until the app is quiet, and returns {@code happened} and {@code now_ms}. {@code at} names
   * the step in the order of threads: its time in the trace.
   */
  Map<String, Object> perform(Map<String, Object> action, long at);

  /** {@code screen}: what is on it; and {@code happened}, where the app's own code did something while it was read. */
  Map<String, Object> observe();

  /** The same when the app's process is dead and the main thread stuck in it: nothing is on the screen. Any thread. */
  Map<String, Object> observeDead();

  /** The whole display as a PNG. */
  byte[] screenshot();

  /**
   * Which probes of the app were hit since the last call, in order; every clean start begins with none. Works also after
   * the app's process died. Called on another thread while no request is being performed, or while the main thread is
   * stuck.
   */
  List<Long> newHits();

  /**
   * The app hangs ({@code cause} "anr") or has taken all memory ("java") on a thread of that name. Called on another thread;
   * reports it as a crash and marks the app's process as dead. Nothing, where the app has died already and that is told.
   */
  List<Map<String, Object>> onDeath(String cause, String thread, String stack);

  /** Whether the APK has a class of that name. Any thread. */
  boolean isApp(String className);
}
