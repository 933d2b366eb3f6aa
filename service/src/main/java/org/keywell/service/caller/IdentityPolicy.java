package org.keywell.service.caller;

/** How a caller's requests show who signs. */
public enum IdentityPolicy {
  /** Each request carries an identity provider's ticket; without one it is refused. */
  REQUIRED("required"),
  /**
   * The caller vouches for the signer that it names. A ticket that it sends all the same is checked
   * like any other.
   */
  TRUSTED_CALLER("trusted-caller");

  private final String label;

  IdentityPolicy(String label) {
    this.label = label;
  }

  /** The name in files and messages. */
  public String label() {
    return label;
  }
}
