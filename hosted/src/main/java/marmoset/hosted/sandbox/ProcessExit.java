package marmoset.hosted.sandbox;

/** Unwinds the app's stack after it has ended its own process. Carries no stack trace; nobody reports it. */
public final class ProcessExit extends ThreadDeath {
  private static final long serialVersionUID = 1;

  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
