package org.keywell.identity;

/** A ticket does not prove who signs. */
public final class ProofRefusedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final ProofRefusal reason;

  /**
   * @param detail one sentence for the caller; quotes neither the ticket nor a name in it
   */
  public ProofRefusedException(ProofRefusal reason, String detail) {
    super(detail, null, false, false);
    this.reason = reason;
  }

  public ProofRefusal reason() {
    return reason;
  }

  public String detail() {
    return String.valueOf(getMessage());
  }
}
