package org.keywell.keypool.hsm;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.security.spec.X509EncodedKeySpec;

/** Digests and verifies with the JDK's own providers: a second opinion on what an HSM signs. */
public final class SignatureCheck {
  private SignatureCheck() {}

  public static byte[] digest(DigestAlgorithm algorithm, byte[] message) {
    try {
      return MessageDigest.getInstance(algorithm.label()).digest(message);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** What a device signs for a message. */
  public static byte[] content(SignatureScheme scheme, DigestAlgorithm algorithm, byte[] message) {
    return scheme.signsMessages() ? message : digest(algorithm, message);
  }

  public static PublicKey publicKey(KeySpec spec, byte[] subjectPublicKeyInfo) {
    try {
      return KeyFactory.getInstance(spec.algorithm().jcaName())
          .generatePublic(new X509EncodedKeySpec(subjectPublicKeyInfo));
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** Whether the signature of the message's digest verifies over the message itself. */
  public static boolean verifies(
      KeySpec spec,
      byte[] subjectPublicKeyInfo,
      SignatureScheme scheme,
      DigestAlgorithm algorithm,
      byte[] message,
      byte[] signature) {
    try {
      Signature verifier = verifier(scheme, algorithm);
      verifier.initVerify(publicKey(spec, subjectPublicKeyInfo));
      verifier.update(message);
      return verifier.verify(signature);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static Signature verifier(SignatureScheme scheme, DigestAlgorithm algorithm)
      throws GeneralSecurityException {
    String hash = algorithm.label().replace("-", "");
    return switch (scheme) {
      case RSASSA_PKCS1_V1_5 -> Signature.getInstance(hash + "withRSA");
      case ECDSA -> Signature.getInstance(hash + "withECDSA");
      case ML_DSA_44, ML_DSA_65, ML_DSA_87 -> Signature.getInstance(scheme.label());
      case RSASSA_PSS -> {
        Signature pss = Signature.getInstance("RSASSA-PSS");
        pss.setParameter(
            new PSSParameterSpec(
                algorithm.label(),
                "MGF1",
                new MGF1ParameterSpec(algorithm.label()),
                algorithm.lengthBytes(),
                PSSParameterSpec.TRAILER_FIELD_BC));
        yield pss;
      }
    };
  }
}
