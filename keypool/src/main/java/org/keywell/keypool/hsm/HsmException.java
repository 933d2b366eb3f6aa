package org.keywell.keypool.hsm;

import org.keywell.keypool.worker.Outage;

/** Thrown when an HSM refuses or fails an operation. Never carries a PIN or key material. */
public final class HsmException extends RuntimeException implements Outage {

  /** The reasons that callers distinguish. */
  public enum Reason {
    /** Library, slot or token cannot be found or reached, or the device failed. */
    UNAVAILABLE,
    /** The PIN was refused, is locked or missing. Never retry: tokens lock. */
    LOGIN_REFUSED,
    /** The session or the login is gone, and with it every handle. */
    SESSION_LOST,
    /** The handle does not name a live object: destroyed, or lost with its session. */
    KEY_GONE,
    /** A wrapped key does not decrypt to a key under this wrapping key: damaged or foreign. */
    WRAPPED_KEY_INVALID,
    /** Data does not decrypt, or has a length that the mechanism does not take. */
    DATA_INVALID,
    /** This host's memory, or the number of sessions, is exhausted. */
    EXHAUSTED,
    /** The device has no memory for another object. */
    FULL,
    /** The device does not offer the mechanism, or not with these parameters. */
    UNSUPPORTED,
    /** The token lacks something that bootstrap creates, or has it with wrong attributes. */
    NOT_BOOTSTRAPPED,
    /**
     * The calling thread was interrupted while it waited, and remains so. The device was not
     * called, so this says nothing about a key.
     */
    INTERRUPTED,
    /** Any other return value, including vendor-defined ones. */
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
        case KEY_GONE, WRAPPED_KEY_INVALID, DATA_INVALID, UNSUPPORTED -> false;
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

  /** Returns the device's {@code CK_RV}, or -1. */
  public long returnValue() {
    return returnValue;
  }

  /**
   * Whether the whole device is in doubt, or was not called, rather than one key: work should pause
   * and be retried later. Codes that are not known to blame a key are attributed to the device. A
   * single {@link Reason#WRAPPED_KEY_INVALID} is not, regardless of its code.
   */
  public boolean concernsDevice() {
    return reason.concernsDevice();
  }
}
