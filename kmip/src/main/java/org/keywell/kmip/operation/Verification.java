package org.keywell.kmip.operation;

import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.SignatureScheme;

/** Verifies signatures, without an HSM: it takes public keys only. */
final class Verification {

  /** {@code id-sha256} and its siblings, except for the last byte (RFC 8017, appendix B.1). */
  private static final byte[] SHA_2 = {0x06, 0x09, 0x60, (byte) 0x86, 0x48, 1, 0x65, 3, 4, 2};

  private static final byte[] NULL = {5, 0};

  private Verification() {}

  static boolean verifies(
      PublicKey key,
      SignatureScheme scheme,
      DigestAlgorithm hash,
      Signatures.Signed signed,
      byte[] signature) {
    return switch (scheme) {
      case RSASSA_PKCS1_V1_5 ->
          verifies(of("NONEwithRSA"), key, digestInfo(hash, signed.digest(hash)), signature);
      case ECDSA -> verifies(of("NONEwithECDSA"), key, signed.digest(hash), signature);
      case RSASSA_PSS -> {
        if (signed.data() == null) {
          throw Parameters.unsupported("PSS is verified over Data only");
        }
        yield verifies(pss(hash), key, signed.data(), signature);
      }
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

  private static Signature of(String algorithm) {
    try {
      return Signature.getInstance(algorithm);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + algorithm, e);
    }
  }

  private static Signature pss(DigestAlgorithm hash) {
    Signature verifier = of("RSASSA-PSS");
    String name = hash.label();
    try {
      verifier.setParameter(
          new PSSParameterSpec(
              name,
              "MGF1",
              new MGF1ParameterSpec(name),
              hash.lengthBytes(),
              PSSParameterSpec.TRAILER_FIELD_BC));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has PSS with " + hash, e);
    }
    return verifier;
  }

  private static boolean verifies(
      Signature verifier, PublicKey key, byte[] data, byte[] signature) {
    try {
      verifier.initVerify(key);
      verifier.update(data);
      return verifier.verify(signature);
    } catch (GeneralSecurityException e) {
      // What cannot be read as a signature of this key is none.
      return false;
    }
  }
}
