package org.keywell.identity.saml;

import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Set;
import javax.xml.crypto.dsig.CanonicalizationMethod;
import javax.xml.crypto.dsig.DigestMethod;
import javax.xml.crypto.dsig.SignatureMethod;

/**
 * The accepted signature algorithms and key lengths: those of the deployment profile of Sweden's
 * eID framework (section 8), at least as long as NIST SP 800-131A requires. All others are refused.
 */
final class AcceptedAlgorithms {

  private static final int MIN_RSA_BITS = 2048;
  private static final int MIN_EC_BITS = 256;

  static final String CANONICALIZATION = CanonicalizationMethod.EXCLUSIVE;

  private static final Set<String> DIGESTS =
      Set.of(DigestMethod.SHA256, DigestMethod.SHA384, DigestMethod.SHA512);

  private static final Set<String> RSA =
      Set.of(
          SignatureMethod.RSA_SHA256,
          SignatureMethod.RSA_SHA384,
          SignatureMethod.RSA_SHA512,
          SignatureMethod.SHA256_RSA_MGF1,
          SignatureMethod.SHA384_RSA_MGF1,
          SignatureMethod.SHA512_RSA_MGF1);

  private static final Set<String> ECDSA =
      Set.of(
          SignatureMethod.ECDSA_SHA256, SignatureMethod.ECDSA_SHA384, SignatureMethod.ECDSA_SHA512);

  private AcceptedAlgorithms() {}

  static boolean digest(String algorithm) {
    return DIGESTS.contains(algorithm);
  }

  static boolean signature(String algorithm) {
    return RSA.contains(algorithm) || ECDSA.contains(algorithm);
  }

  /** Whether the key is strong enough for any signature. */
  static boolean key(PublicKey key) {
    return switch (key) {
      case RSAPublicKey rsa -> rsa.getModulus().bitLength() >= MIN_RSA_BITS;
      case ECPublicKey ec -> ec.getParams().getCurve().getField().getFieldSize() >= MIN_EC_BITS;
      default -> false;
    };
  }

  /** Whether the key's type fits the algorithm. */
  static boolean fits(PublicKey key, String algorithm) {
    return switch (key) {
      case RSAPublicKey _ -> RSA.contains(algorithm);
      case ECPublicKey _ -> ECDSA.contains(algorithm);
      default -> false;
    };
  }
}
