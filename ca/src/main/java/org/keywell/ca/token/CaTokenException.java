package org.keywell.ca.token;

import org.jspecify.annotations.Nullable;

/** The CA's token, keys or certificates are not fit for use. Never carries a PIN. */
public final class CaTokenException extends RuntimeException {

  /** The closed set of reasons that callers tell apart. */
  public enum Reason {
    /** The module or the slot cannot be opened. */
    UNAVAILABLE,
    /** The PIN was refused, or is locked. Never to be retried: tokens lock. */
    PIN_REFUSED,
    /** The token has no issuing key: the bootstrap has to be run. */
    NOT_BOOTSTRAPPED,
    /** The issuing key waits for the certificate that its request asked for. */
    AWAITING_CHAIN,
    /** Certificates do not form a chain from the issuing key up to a self-signed root. */
    CHAIN_REFUSED,
    /** A private key could be read out of the token. */
    KEY_EXPOSED,
    /** An operation of the token failed, or its content is inconsistent. */
    FAILED
  }

  private static final long serialVersionUID = 1L;

  private final Reason reason;

  CaTokenException(Reason reason, String message) {
    this(reason, message, null);
  }

  CaTokenException(Reason reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
