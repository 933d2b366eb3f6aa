package org.keywell.signing.sign;

import java.security.SecureRandom;
import org.keywell.ca.ProofOfPossession;
import org.keywell.ca.issuance.PossessionRequest;
import org.keywell.keypool.KeyLease;
import org.keywell.signing.request.SignRequest;

/**
 * Has a leased key prove possession before it signs for its act, with a certification request that
 * the service builds and never discloses. Thread-safe.
 */
final class KeyProof {

  private final SecureRandom random;

  KeyProof(SecureRandom random) {
    this.random = random;
  }

  /**
   * Proves possession with the act's own scheme and hash function.
   *
   * @throws org.keywell.keypool.hsm.HsmException if the device does not sign
   * @throws IllegalArgumentException if the key's stored public key is not one
   */
  ProofOfPossession of(KeyLease lease, SignRequest request) {
    PossessionRequest proof =
        new PossessionRequest(
            lease.publicKey(),
            CertificationRequests.scheme(request.scheme()),
            CertificationRequests.digest(request.digestAlgorithm()),
            random);
    return proof.signedBy(lease.prove(request.scheme(), request.digestAlgorithm(), proof.toSign()));
  }
}
