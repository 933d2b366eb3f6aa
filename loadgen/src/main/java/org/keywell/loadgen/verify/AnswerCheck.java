package org.keywell.loadgen.verify;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.keywell.client.SignResponse;

/**
 * Checks one answer with the JDK only: the signature over the content with the certificate's key,
 * and the chain up to a trusted root (PKIX, without revocation).
 */
public final class AnswerCheck {
  private static final int SHA_256_BYTES = 32;

  private final CertificateFactory certificates;
  private final CertPathValidator paths;
  private final PKIXParameters parameters;

  /** Creates a check that trusts the given root; not thread-safe. */
  public AnswerCheck(X509Certificate root) throws GeneralSecurityException {
    certificates = CertificateFactory.getInstance("X.509");
    paths = CertPathValidator.getInstance("PKIX");
    parameters = new PKIXParameters(Set.of(new TrustAnchor(root, null)));
    parameters.setRevocationEnabled(false);
  }

  /** Returns the one-time certificate of an answer. */
  public X509Certificate leafOf(SignResponse response) throws GeneralSecurityException {
    if (response.certificateChain().isEmpty()) {
      throw new GeneralSecurityException("the answer has no certificate");
    }
    return read(response.certificateChain().getFirst());
  }

  /**
   * Returns normally if the answer is right.
   *
   * @throws GeneralSecurityException saying what is wrong with it
   */
  public void check(byte[] content, SignResponse response) throws GeneralSecurityException {
    Signature verifier = verifier(response.signatureAlgorithm());
    verifier.initVerify(leafOf(response).getPublicKey());
    verifier.update(content);
    if (!verifier.verify(response.signature())) {
      throw new GeneralSecurityException("the signature does not fit the content");
    }
    List<X509Certificate> path = new ArrayList<>();
    for (byte[] der : response.certificateChain()) {
      X509Certificate certificate = read(der);
      if (!isTrusted(certificate)) {
        path.add(certificate);
      }
    }
    if (path.isEmpty()) {
      throw new GeneralSecurityException("the chain is nothing but the root");
    }
    paths.validate(certificates.generateCertPath(path), parameters);
  }

  private boolean isTrusted(X509Certificate certificate) {
    return parameters.getTrustAnchors().stream()
        .anyMatch(anchor -> certificate.equals(anchor.getTrustedCert()));
  }

  private X509Certificate read(byte[] der) throws GeneralSecurityException {
    return (X509Certificate) certificates.generateCertificate(new ByteArrayInputStream(der));
  }

  private static Signature verifier(String algorithm) throws GeneralSecurityException {
    return switch (algorithm) {
      case "RSASSA-PKCS1-v1_5" -> Signature.getInstance("SHA256withRSA");
      case "ECDSA" -> Signature.getInstance("SHA256withECDSA");
      case "RSASSA-PSS" -> {
        Signature pss = Signature.getInstance("RSASSA-PSS");
        pss.setParameter(
            new PSSParameterSpec(
                "SHA-256",
                "MGF1",
                MGF1ParameterSpec.SHA256,
                SHA_256_BYTES,
                PSSParameterSpec.TRAILER_FIELD_BC));
        yield pss;
      }
      default -> throw new GeneralSecurityException("unknown signature algorithm " + algorithm);
    };
  }
}
