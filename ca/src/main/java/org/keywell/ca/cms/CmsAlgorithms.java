package org.keywell.ca.cms;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.keywell.ca.ProofDigest;
import org.keywell.ca.ProofScheme;
import org.keywell.ca.issuance.ProofAlgorithms;

/** The CMS identifiers of the schemes and hash functions of one-time keys. */
final class CmsAlgorithms {

  /** RFC 3370, section 3.2: the PKCS #1 v1.5 identifier that every CMS reader must support. */
  private static final AlgorithmIdentifier RSA =
      new AlgorithmIdentifier(PKCSObjectIdentifiers.rsaEncryption, DERNull.INSTANCE);

  private CmsAlgorithms() {}

  /** RFC 5754, section 2: without parameters. */
  static AlgorithmIdentifier of(ProofDigest digest) {
    return new AlgorithmIdentifier(
        switch (digest) {
          case SHA_256 -> NISTObjectIdentifiers.id_sha256;
          case SHA_384 -> NISTObjectIdentifiers.id_sha384;
          case SHA_512 -> NISTObjectIdentifiers.id_sha512;
        });
  }

  /**
   * RSASSA-PSS has the hash function, its MGF1 and the salt length as parameters (RFC 4056, section
   * 3); ECDSA and ML-DSA have none (RFC 5754, section 3.3; RFC 9882, section 3.3).
   */
  static AlgorithmIdentifier of(ProofScheme scheme, ProofDigest digest) {
    return switch (scheme) {
      case RSASSA_PKCS1_V1_5 -> RSA;
      case RSASSA_PSS, ECDSA, ML_DSA_44, ML_DSA_65, ML_DSA_87 ->
          new ProofAlgorithms(scheme, digest).identifier();
    };
  }

  static byte[] hash(ProofDigest digest, byte[] content) {
    try {
      return MessageDigest.getInstance(digest.label()).digest(content);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has " + digest, e);
    }
  }
}
