package marmoset.hosted;

/** Ends a request with an {@code error} answer. The codes are those of docs/formats/hosted_protocol.md. */
public final class RequestError extends RuntimeException {
  /** The caller broke the protocol. */
  public static final String BAD_REQUEST = "bad_request";

  /** The host could not do what a phone would have done. */
  public static final String HOST_GAP = "host_gap";

  /** The host itself is broken: out of memory, stuck, an I/O error. */
  public static final String INFRASTRUCTURE = "infrastructure";

  private final String code;

  public RequestError(String code, String message) {
    this(code, message, null);
  }

  public RequestError(String code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  public String code() {
    return code;
  }
}
