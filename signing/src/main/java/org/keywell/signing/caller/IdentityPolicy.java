package org.keywell.signing.caller;

/** How a caller's requests establish who signs. */
public enum IdentityPolicy {
  /** Each request must carry an identity provider's ticket; otherwise it is refused. */
  REQUIRED("required"),
  /**
   * The caller vouches for the signer that it names. A ticket that it sends anyway is still
   * checked.
   */
  TRUSTED_CALLER("trusted-caller");

  private final String label;

  IdentityPolicy(String label) {
    this.label = label;
  }

  /** Returns the name in files and messages. */
  public String label() {
    return label;
  }
}
