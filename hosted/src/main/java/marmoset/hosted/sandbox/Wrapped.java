package marmoset.hosted.sandbox;

import java.util.function.Supplier;

/**
 * Runs the app's lifecycle code as ActivityThread does: an exception of it is wrapped into one that names the component,
 * which is what a phone's crash report shows. Errors pass through unwrapped. Stateless.
 */
final class Wrapped {
  private Wrapped() {}

  /** Throws RuntimeException({@code what: cause}) where the call throws an exception. */
  static void run(Supplier<String> what, Runnable call) {
    try {
      call.run();
    } catch (RuntimeException e) {
      throw new RuntimeException(what.get() + ": " + e, e);
    }
  }
}
