package org.keywell.keypool.hsm;

/** An HSM refused or failed an operation. Never carries a PIN or key material. */
public final class HsmException extends RuntimeException {

  /** The closed set of reasons that callers tell apart. */
  public enum Reason {
    /** Library, slot or token cannot be found or reached, or the device failed. */
    UNAVAILABLE,
    /** The PIN was refused, is locked or missing. Never to be retried: tokens lock. */
    LOGIN_REFUSED,
    /** The session or the login is gone, and with it every handle. */
    SESSION_LOST,
    /** The handle does not name a live object: destroyed, or lost with its session. */
    KEY_GONE,
    /** A wrapped key does not decrypt to a key under this wrapping key: damaged or foreign. */
    WRAPPED_KEY_INVALID,
    /** Memory of this host, or the number of sessions, is exhausted. */
    EXHAUSTED,
    /** The device has no memory for another object. */
    FULL,
    /** The device does not offer the mechanism, or not with these parameters. */
    UNSUPPORTED,
    /** The token lacks something that bootstrap creates, or has it with wrong attributes. */
    NOT_BOOTSTRAPPED,
    /**
     * The thread that asked was interrupted while it waited, and stays so; the device was not
     * asked. Says nothing of a key.
     */
    INTERRUPTED,
    /** Any other return value, those of vendors included. */
    FAILED;

    /** See {@link HsmException#concernsDevice()}. */
    public boolean concernsDevice() {
      return switch (this) {
        case UNAVAILABLE,
            LOGIN_REFUSED,
            SESSION_LOST,
            EXHAUSTED,
            FULL,
            NOT_BOOTSTRAPPED,
            INTERRUPTED,
            FAILED ->
            true;
        case KEY_GONE, WRAPPED_KEY_INVALID, UNSUPPORTED -> false;
      };
    }
  }

  private static final long serialVersionUID = 1L;

  private final Reason reason;
  private final long returnValue;

  /**
   * @param returnValue the {@code CK_RV}, or -1 where no function returned one
   */
  public HsmException(Reason reason, long returnValue, String message) {
    super(message);
    this.reason = reason;
    this.returnValue = returnValue;
  }

  public HsmException(Reason reason, String message) {
    this(reason, -1, message);
  }

  public HsmException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
    this.returnValue = -1;
  }

  public Reason reason() {
    return reason;
  }

  /** The {@code CK_RV} that the device returned, or -1. */
  public long returnValue() {
    return returnValue;
  }

  /**
   * Whether the device as a whole is in doubt, or was not asked, rather than one key: work should
   * pause and be tried again later. Codes that are not known to blame a key are the device's. A
   * single {@link Reason#WRAPPED_KEY_INVALID} does not mean that, whatever its code.
   */
  public boolean concernsDevice() {
    return reason.concernsDevice();
  }
}
