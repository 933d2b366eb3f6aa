package org.keywell.bench.tables.measure;

import java.security.SecureRandom;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.Certification;
import org.keywell.ca.CertificationRequest;
import org.keywell.ca.ProofDigest;
import org.keywell.ca.ProofOfPossession;
import org.keywell.ca.ProofScheme;
import org.keywell.ca.Subject;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.SignatureScheme;

/**
 * The thesis's signing (section 2.10.4): the one-time key signs the document, the CA certifies the
 * key, and the key is destroyed. Thread-safe.
 */
final class WholeSigning {
  private static final Subject SUBJECT =
      new Subject("Keywell experiment", "Keywell", "Experiment", null, null, null, "SE");

  private final CertificateAuthority ca;
  private final SecureRandom random = new SecureRandom();

  WholeSigning(CertificateAuthority ca) {
    this.ca = ca;
  }

  /**
   * Signs with a key, has it certified and destroys it; returns the time taken in nanoseconds.
   *
   * @throws ExperimentFailedException if there is no certificate, or the device did not destroy the
   *     key
   */
  long run(Hsm hsm, LoadedKey key) {
    byte[] digest = digest();
    long began = System.nanoTime();
    Certification certification;
    Destruction destruction;
    try {
      certification = ca.certify(request(key, digest, sign(hsm, key, digest)));
    } finally {
      destruction = hsm.destroy(key.handle());
    }
    long ended = System.nanoTime();
    requireCertified(certification);
    if (!destruction.succeeded()) {
      throw new ExperimentFailedException(
          "the device did not destroy a key: 0x" + Long.toHexString(destruction.returnValue()));
    }
    return ended - began;
  }

  /**
   * Warms up the code with one key, which signs once; only the CA's part is repeated, over the same
   * proof.
   */
  void warmUp(Hsm hsm, LoadedKey key, int certificates) {
    byte[] digest = digest();
    try {
      CertificationRequest request = request(key, digest, sign(hsm, key, digest));
      for (int i = 0; i < certificates; i++) {
        requireCertified(ca.certify(request));
      }
    } finally {
      var _ = hsm.destroy(key.handle());
    }
  }

  private byte[] digest() {
    byte[] digest = new byte[DigestAlgorithm.SHA_256.lengthBytes()];
    random.nextBytes(digest);
    return digest;
  }

  private static byte[] sign(Hsm hsm, LoadedKey key, byte[] digest) {
    return hsm.sign(
        key.handle(), SignatureScheme.RSASSA_PKCS1_V1_5, DigestAlgorithm.SHA_256, digest);
  }

  private static CertificationRequest request(LoadedKey key, byte[] digest, byte[] signature) {
    return new CertificationRequest(
        key.stored().key().publicKey(),
        SUBJECT,
        new ProofOfPossession.SignedDigest(
            ProofScheme.RSASSA_PKCS1_V1_5, ProofDigest.SHA_256, digest, signature),
        "standard",
        null);
  }

  private static void requireCertified(Certification certification) {
    if (certification instanceof Certification.Refused(var reason, var detail)) {
      throw new ExperimentFailedException("the CA refused: " + reason + ": " + detail);
    }
  }
}
