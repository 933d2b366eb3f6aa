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
    byte[] input = input(scheme, hash, signed);
    try {
      Signature verifier =
          Signature.getInstance(
              switch (scheme) {
                case RSASSA_PKCS1_V1_5 -> "NONEwithRSA";
                case ECDSA -> "NONEwithECDSA";
                case RSASSA_PSS -> "RSASSA-PSS";
                case ML_DSA_44, ML_DSA_65, ML_DSA_87 -> scheme.label();
              });
      if (scheme == SignatureScheme.RSASSA_PSS) {
        String name = hash.label();
        MGF1ParameterSpec mask = new MGF1ParameterSpec(name);
        int trailer = PSSParameterSpec.TRAILER_FIELD_BC;
        verifier.setParameter(
            new PSSParameterSpec(name, "MGF1", mask, hash.lengthBytes(), trailer));
      }
      verifier.initVerify(key);
      verifier.update(input);
      return verifier.verify(signature);
    } catch (GeneralSecurityException e) {
      // What cannot be read as a signature of this key is none.
      return false;
    }
  }

  private static byte[] input(
      SignatureScheme scheme, DigestAlgorithm hash, Signatures.Signed signed) {
    if (scheme != SignatureScheme.RSASSA_PSS) {
      byte[] digest = signed.digest(hash);
      return scheme == SignatureScheme.ECDSA ? digest : digestInfo(hash, digest);
    }
    if (signed.data() == null) {
      throw Parameters.unsupported("PSS is verified over Data only");
    }
    return signed.data();
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
}
