package org.keywell.protection;

import java.util.Locale;

/** A message is refused. Its text names the fault and nothing of the message. */
public final class ProtectionException extends Exception {

  /** Why a message is refused. */
  public enum Fault {
    /** Not CMS at all, or a kind of CMS that is no protection. */
    NOT_PROTECTED,
    /** Protected, but not as required here. */
    WRONG_QUALITY,
    /** Not in the one form that is accepted. */
    MALFORMED,
    /** Larger than this opener accepts, or with more certificates or recipients. */
    TOO_LARGE,
    /** Not encrypted for this recipient. */
    WRONG_RECIPIENT,
    /** Cannot be decrypted; deliberately does not say why. */
    DECRYPTION_FAILED,
    /** The signature does not fit content and certificate. */
    SIGNATURE_INVALID,
    /** An algorithm or parameter that is not accepted. */
    ALGORITHM_NOT_ALLOWED,
    /** The signer's certificate has a key of a wrong kind, size or usage. */
    KEY_WRONG;

    /** A stable name, in lower case with hyphens. */
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  private final Fault fault;

  ProtectionException(Fault fault) {
    super(fault.label());
    this.fault = fault;
  }

  /** Returns why the message is refused. */
  public Fault fault() {
    return fault;
  }
}
