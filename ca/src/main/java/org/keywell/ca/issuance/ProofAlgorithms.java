package org.keywell.ca.issuance;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.operator.DefaultSignatureAlgorithmIdentifierFinder;
import org.bouncycastle.operator.SignatureAlgorithmIdentifierFinder;
import org.keywell.ca.ProofDigest;
import org.keywell.ca.ProofScheme;

/**
 * The ASN.1 identifiers of the schemes and hash functions of one-time keys (RFC 4055, RFC 5758, RFC
 * 9881).
 */
public record ProofAlgorithms(ProofScheme scheme, ProofDigest digest) {

  private static final SignatureAlgorithmIdentifierFinder FINDER =
      new DefaultSignatureAlgorithmIdentifierFinder();

  /** Returns the pair that an identifier stands for; empty if it is unknown. */
  static Optional<ProofAlgorithms> of(AlgorithmIdentifier identifier) {
    for (ProofScheme scheme : ProofScheme.values()) {
      for (ProofDigest digest : ProofDigest.values()) {
        var algorithms = new ProofAlgorithms(scheme, digest);
        if (algorithms.identifier().equals(identifier)) {
          return Optional.of(algorithms);
        }
      }
    }
    return Optional.empty();
  }

  /** Returns the signature algorithm's identifier, with all parameters. */
  public AlgorithmIdentifier identifier() {
    return switch (scheme) {
      case RSASSA_PKCS1_V1_5 -> find("RSA");
      case RSASSA_PSS -> find("RSAANDMGF1");
      case ECDSA -> find("ECDSA");
      case ML_DSA_44, ML_DSA_65, ML_DSA_87 -> MlDsaKeys.identifier(scheme);
    };
  }

  private AlgorithmIdentifier find(String key) {
    return FINDER.find(name(digest).replace("-", "") + "WITH" + key);
  }

  /** Returns what is signed for a content: its digest, or itself if the scheme signs messages. */
  public byte[] signed(byte[] content) {
    if (scheme.signsMessages()) {
      return content.clone();
    }
    try {
      return MessageDigest.getInstance(name(digest)).digest(content);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has " + digest, e);
    }
  }

  private static String name(ProofDigest digest) {
    return switch (digest) {
      case SHA_256 -> "SHA-256";
      case SHA_384 -> "SHA-384";
      case SHA_512 -> "SHA-512";
    };
  }
}
