package org.keywell.ca.token;

import org.jspecify.annotations.Nullable;

/** The CA's token, keys or certificates are not usable. */
public final class CaTokenException extends RuntimeException {

  /** The reasons that callers distinguish; a closed set. */
  public enum Reason {
    /** The token has no issuing key: run the bootstrap. */
    NOT_BOOTSTRAPPED,
    /** The issuing key awaits the certificate that was requested for it. */
    AWAITING_CHAIN,
    /** Certificates do not form a chain from the issuing key up to a self-signed root. */
    CHAIN_REFUSED,
    /** A private key could be read out of the token. */
    KEY_EXPOSED,
    /** A token operation failed, or the token's content is inconsistent. */
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
