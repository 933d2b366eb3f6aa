package org.keywell.keypool.hsm;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;

/**
 * The signature with which a throw-away key proves that its private half fits the public one: over
 * a fixed text, with SHA-256 where the scheme signs digests. The JDK verifies it, never the device.
 */
public final class ProofSignature {

  public static final DigestAlgorithm DIGEST = DigestAlgorithm.SHA_256;

  private static final byte[] MESSAGE = "proof of a throw-away key".getBytes(US_ASCII);

  private ProofSignature() {}

  /** Returns the scheme for keys of this kind that needs no parameters. */
  public static SignatureScheme scheme(KeySpec spec) {
    return spec.defaultScheme();
  }

  /** Returns what the device signs: a digest or a message, as the scheme requires. */
  public static byte[] content(KeySpec spec) {
    return scheme(spec).signsMessages() ? MESSAGE.clone() : digest();
  }

  private static byte[] digest() {
    try {
      return MessageDigest.getInstance(DIGEST.label()).digest(MESSAGE);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("SHA-256 is in every JDK", e);
    }
  }

  /**
   * Whether the signature verifies; false also if the signature or public key is malformed.
   *
   * @param publicKey SubjectPublicKeyInfo, DER
   */
  public static boolean verifies(KeySpec spec, byte[] publicKey, byte[] signature) {
    try {
      Signature verifier =
          switch (spec.algorithm()) {
            case RSA -> Signature.getInstance("SHA256withRSA");
            case EC -> Signature.getInstance("SHA256withECDSA");
            case ML_DSA -> Signature.getInstance(spec.label());
          };
      verifier.initVerify(
          KeyFactory.getInstance(spec.algorithm().jcaName())
              .generatePublic(new X509EncodedKeySpec(publicKey)));
      verifier.update(MESSAGE);
      return verifier.verify(signature);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
