package org.keywell.kmip.operation;

import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.SignatureScheme;

/** Verifies signatures, without an HSM: it takes public keys only. */
final class Verification {

  /** {@code id-sha256} and its siblings, except for the last byte (RFC 8017, appendix B.1). */
  private static final byte[] SHA_2 = {0x06, 0x09, 0x60, (byte) 0x86, 0x48, 1, 0x65, 3, 4, 2};

  private static final byte[] NULL = {5, 0};

  private Verification() {}

  static boolean ofData(
      PublicKey key, SignatureScheme scheme, DigestAlgorithm hash, byte[] data, byte[] signature) {
    String prefix = hash.label().replace("-", "");
    return switch (scheme) {
      case RSASSA_PKCS1_V1_5 -> verifies(prefix + "withRSA", null, key, data, signature);
      case ECDSA -> verifies(prefix + "withECDSA", null, key, data, signature);
      case RSASSA_PSS ->
          verifies(
              "RSASSA-PSS",
              new PSSParameterSpec(
                  hash.label(),
                  "MGF1",
                  new MGF1ParameterSpec(hash.label()),
                  hash.lengthBytes(),
                  PSSParameterSpec.TRAILER_FIELD_BC),
              key,
              data,
              signature);
    };
  }

  static boolean ofDigest(
      PublicKey key,
      SignatureScheme scheme,
      DigestAlgorithm hash,
      byte[] digest,
      byte[] signature) {
    return switch (scheme) {
      case RSASSA_PKCS1_V1_5 ->
          verifies("NONEwithRSA", null, key, digestInfo(hash, digest), signature);
      case ECDSA -> verifies("NONEwithECDSA", null, key, digest, signature);
      case RSASSA_PSS -> throw Parameters.unsupported("PSS is verified over Data only");
    };
  }

  /** {@code DigestInfo} (RFC 8017, section 9.2). */
  private static byte[] digestInfo(DigestAlgorithm hash, byte[] digest) {
    byte[] last = {
      switch (hash) {
        case SHA_256 -> 1;
        case SHA_384 -> 2;
        case SHA_512 -> 3;
      }
    };
    return Der.element(
        Der.SEQUENCE,
        Der.element(Der.SEQUENCE, SHA_2, last, NULL),
        Der.element(Der.OCTET_STRING, digest));
  }

  private static boolean verifies(
      String algorithm,
      @Nullable PSSParameterSpec parameters,
      PublicKey key,
      byte[] data,
      byte[] signature) {
    try {
      Signature verifier = Signature.getInstance(algorithm);
      if (parameters != null) {
        verifier.setParameter(parameters);
      }
      verifier.initVerify(key);
      verifier.update(data);
      return verifier.verify(signature);
    } catch (GeneralSecurityException e) {
      // What cannot be read as a signature of this key is none.
      return false;
    }
  }
}
