package marmoset.hosted;

/** The APK cannot be converted; the message reads {@code what: remedy}. */
public final class ApkError extends Exception {
  public ApkError(String what, String remedy) {
    super(what + ": " + remedy);
  }
}
