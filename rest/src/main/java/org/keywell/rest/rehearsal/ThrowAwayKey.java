package org.keywell.rest.rehearsal;

import java.security.SecureRandom;
import java.util.List;
import java.util.stream.Stream;
import org.keywell.keypool.KeyLease;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.SignatureScheme;

/**
 * What remains of a key that was generated for {@link WarmUp}, signed random digests and has been
 * destroyed. It was never in the pool.
 *
 * @param publicKey its DER {@code SubjectPublicKeyInfo}
 * @param signatures one per digest, in their order
 */
record ThrowAwayKey(
    KeySpec spec,
    byte[] publicKey,
    List<byte[]> digests,
    List<byte[]> signatures,
    Destruction destruction) {

  static final DigestAlgorithm DIGEST_ALGORITHM = DigestAlgorithm.SHA_256;

  /** How many the device signs for it: each is used several times. */
  static final int DIGESTS = 64;

  private static final int DIGEST_BYTES = 32;

  /**
   * Has a device generate a key, sign with it and destroy it.
   *
   * @throws org.keywell.keypool.hsm.HsmException if it fails
   */
  static ThrowAwayKey use(KeyPools pools, KeySpec spec, SecureRandom random) {
    List<byte[]> digests = Stream.generate(() -> random(random)).limit(DIGESTS).toList();
    SignatureScheme scheme = spec.defaultScheme();
    KeyLease lease = pools.generate(spec);
    List<byte[]> signatures;
    Destruction destruction;
    try {
      signatures = lease.sign(scheme, DIGEST_ALGORITHM, digests);
    } finally {
      destruction = lease.destroy();
    }
    return new ThrowAwayKey(spec, lease.publicKey(), digests, signatures, destruction);
  }

  private static byte[] random(SecureRandom random) {
    byte[] digest = new byte[DIGEST_BYTES];
    random.nextBytes(digest);
    return digest;
  }
}
