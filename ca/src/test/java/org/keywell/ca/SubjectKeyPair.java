package org.keywell.ca;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.issuance.PossessionRequest;

/**
 * A key pair to be certified, with proofs made by the JDK's own providers: they hash the document
 * themselves, so that they check the pre-hashed verification independently.
 */
public final class SubjectKeyPair {
  private final KeyPair pair;

  private SubjectKeyPair(KeyPair pair) {
    this.pair = pair;
  }

  public static SubjectKeyPair rsa(int bits) {
    return generate("RSA", new RSAKeyGenParameterSpec(bits, RSAKeyGenParameterSpec.F4));
  }

  public static SubjectKeyPair ec(String curve) {
    return generate("EC", new ECGenParameterSpec(curve));
  }

  /** A key that signs by one of the schemes of ML-DSA. */
  public static SubjectKeyPair mlDsa(ProofScheme scheme) {
    return generate("ML-DSA", new NamedParameterSpec(scheme.label()));
  }

  static SubjectKeyPair generate(String algorithm, AlgorithmParameterSpec parameters) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
      generator.initialize(parameters);
      return new SubjectKeyPair(generator.generateKeyPair());
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  public PublicKey publicKey() {
    return pair.getPublic();
  }

  public PrivateKey privateKey() {
    return pair.getPrivate();
  }

  /** The public key as a {@code SubjectPublicKeyInfo}. */
  public byte[] encoded() {
    return pair.getPublic().getEncoded();
  }

  /** A proof over the digest of a random document. */
  public ProofOfPossession.SignedDigest prove(ProofScheme scheme, ProofDigest digest) {
    byte[] document = new byte[100];
    new SecureRandom().nextBytes(document);
    byte[] signature = sign(scheme, digest, document);
    try {
      byte[] signed =
          scheme.signsMessages()
              ? document
              : MessageDigest.getInstance(digest.label()).digest(document);
      return new ProofOfPossession.SignedDigest(scheme, digest, signed, signature);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** A signature over a content, which is hashed here if the scheme signs digests. */
  public byte[] sign(ProofScheme scheme, ProofDigest digest, byte[] content) {
    try {
      Signature signer = Signature.getInstance(jcaName(scheme, digest));
      if (scheme == ProofScheme.RSASSA_PSS) {
        signer.setParameter(
            new PSSParameterSpec(
                digest.label(),
                "MGF1",
                new MGF1ParameterSpec(digest.label()),
                digest.lengthBytes(),
                PSSParameterSpec.TRAILER_FIELD_BC));
      }
      signer.initSign(pair.getPrivate());
      signer.update(content);
      return signer.sign();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** A certification request of the service's own, signed by this key. */
  public ProofOfPossession.SignedRequest requestToBeCertified(
      ProofScheme scheme, ProofDigest digest) {
    var request = new PossessionRequest(encoded(), scheme, digest, new SecureRandom());
    try {
      byte[] content =
          org.bouncycastle.asn1.pkcs.CertificationRequest.getInstance(
                  ((ProofOfPossession.SignedRequest) request.signedBy(new byte[0])).request())
              .getCertificationRequestInfo()
              .getEncoded("DER");
      return (ProofOfPossession.SignedRequest) request.signedBy(sign(scheme, digest, content));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String jcaName(ProofScheme scheme, ProofDigest digest) {
    String hash = digest.label().replace("-", "");
    return switch (scheme) {
      case RSASSA_PKCS1_V1_5 -> hash + "withRSA";
      case RSASSA_PSS -> "RSASSA-PSS";
      case ECDSA -> hash + "withECDSA";
      case ML_DSA_44, ML_DSA_65, ML_DSA_87 -> scheme.label();
    };
  }

  /** A proof over SHA-256 with the scheme that fits the key. */
  public ProofOfPossession.SignedDigest prove() {
    return prove(
        switch (pair.getPublic()) {
          case RSAPublicKey _ -> ProofScheme.RSASSA_PKCS1_V1_5;
          case ECPublicKey _ -> ProofScheme.ECDSA;
          case PublicKey mlDsa ->
              ProofScheme.ofLabel(((NamedParameterSpec) mlDsa.getParams()).getName());
        },
        ProofDigest.SHA_256);
  }

  /** A request with a proof that holds. */
  public CertificationRequest request(Subject subject) {
    return request(subject, CertificateProfiles.STANDARD, null);
  }

  /** As {@link #request(Subject)}, by a profile. */
  public CertificationRequest request(
      Subject subject, String profile, @Nullable AuthenticationContext authentication) {
    return new CertificationRequest(encoded(), subject, prove(), profile, authentication);
  }
}
