package org.keywell.ca.issuance;

import org.keywell.ca.Certification.Reason;
import org.keywell.ca.Certification.Refused;

/** The CA's key failed to sign, or its signature does not verify. */
final class CaSigningException extends Exception {
  private static final long serialVersionUID = 1L;

  private final Reason reason;
  private final String detail;

  private CaSigningException(Reason reason, String detail) {
    super(detail);
    this.reason = reason;
    this.detail = detail;
  }

  CaSigningException(String detail) {
    this(Reason.CA_UNAVAILABLE, detail);
  }

  CaSigningException(String detail, Throwable cause) {
    this(detail);
    initCause(cause);
  }

  /** The device reported success but returned something other than a signature of the CA's key. */
  static CaSigningException wrongSignature() {
    return new CaSigningException(
        Reason.CA_SIGNATURE_WRONG,
        "what the CA's key signed does not verify with the CA's certificate");
  }

  String detail() {
    return detail;
  }

  Refused refusal() {
    return new Refused(reason, detail);
  }
}
