package org.keywell.ca.issuance;

import java.util.List;
import org.keywell.ca.ProofOfPossession.SignedDigest;

/**
 * Verifies what a one-time key signed, by the check that the CA makes of a proof of possession. The
 * key is decoded once for all signatures: Bouncy Castle keeps with it what it has computed of its
 * point, so that a further ECDSA verification is cheaper than the first.
 */
public final class DigestSignatures {
  private DigestSignatures() {}

  /**
   * Whether each signature was made by the private key of {@code publicKey} over its digest; false
   * for whatever is malformed, true for none.
   *
   * @param publicKey a DER {@code SubjectPublicKeyInfo}
   */
  public static boolean allVerify(byte[] publicKey, List<SignedDigest> signatures) {
    if (signatures.isEmpty()) {
      return true;
    }
    try {
      SubjectKey key = SubjectKey.decode(publicKey);
      return signatures.stream().allMatch(signature -> PossessionCheck.holds(key, signature));
    } catch (KeyNotAllowedException e) {
      return false;
    }
  }
}
