package org.keywell.ca.revocation;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Why a certificate was revoked (RFC 5280, section 5.3.1): the reasons that a signer's can have.
 */
public enum RevocationReason {
  UNSPECIFIED("unspecified", 0),
  KEY_COMPROMISE("keyCompromise", 1),
  AFFILIATION_CHANGED("affiliationChanged", 3),
  SUPERSEDED("superseded", 4),
  CESSATION_OF_OPERATION("cessationOfOperation", 5),
  PRIVILEGE_WITHDRAWN("privilegeWithdrawn", 9);

  private static final List<RevocationReason> ALL = List.of(values());

  private final String label;
  private final int code;

  RevocationReason(String label, int code) {
    this.label = label;
    this.code = code;
  }

  /** Returns its name in RFC 5280. */
  public String label() {
    return label;
  }

  /** Returns its number in {@code CRLReason}. */
  public int code() {
    return code;
  }

  /** Returns the names of all. */
  public static List<String> labels() {
    return Arrays.stream(values()).map(RevocationReason::label).toList();
  }

  /** Returns the reason of that name in RFC 5280. */
  public static Optional<RevocationReason> labelled(String label) {
    return Arrays.stream(values()).filter(reason -> reason.label.equals(label)).findFirst();
  }

  /**
   * Returns the reason of that number.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static RevocationReason coded(int code) {
    for (RevocationReason reason : ALL) {
      if (reason.code == code) {
        return reason;
      }
    }
    throw new IllegalArgumentException("no reason has the code " + code);
  }
}
