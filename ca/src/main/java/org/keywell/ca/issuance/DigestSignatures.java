package org.keywell.ca.issuance;

import java.util.List;
import org.keywell.ca.ProofOfPossession.SignedDigest;

/**
 * Verifies a one-time key's signatures, with the same check that the CA applies to a proof of
 * possession. Decodes the key once for all signatures: Bouncy Castle caches values computed for its
 * point, so later ECDSA verifications are cheaper than the first.
 */
public final class DigestSignatures {
  private DigestSignatures() {}

  /**
   * Whether the private key of {@code publicKey} made each signature over its digest; false if
   * anything is malformed, true for an empty list.
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
