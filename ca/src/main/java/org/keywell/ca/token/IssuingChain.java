package org.keywell.ca.token;

import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Set;

/** Checks that the issuing CA's certificates meet relying parties' requirements. */
final class IssuingChain {
  private static final int KEY_CERT_SIGN = 5;
  private static final String SUBJECT_KEY_IDENTIFIER = "2.5.29.14";

  private IssuingChain() {}

  /**
   * Returns the same certificates, ordered from the one for the given key up to its root.
   *
   * @throws CaTokenException {@code CHAIN_REFUSED} if none is for the key, or one does not belong
   */
  static List<X509Certificate> ordered(List<X509Certificate> certificates, PublicKey key) {
    List<X509Certificate> rest = new ArrayList<>(certificates);
    List<X509Certificate> chain = new ArrayList<>();
    chain.add(
        rest.stream()
            .filter(certificate -> isFor(certificate, key))
            .findFirst()
            .orElseThrow(() -> refused("no certificate is for the issuing key")));
    rest.remove(chain.getFirst());
    while (!rest.isEmpty()) {
      X509Certificate last = chain.getLast();
      X509Certificate issuer =
          rest.stream()
              .filter(c -> c.getSubjectX500Principal().equals(last.getIssuerX500Principal()))
              .findFirst()
              .orElseThrow(() -> refused("a certificate does not belong to the chain"));
      rest.remove(issuer);
      chain.add(issuer);
    }
    return List.copyOf(chain);
  }

  /**
   * Validates an ordered chain per RFC 5280, section 6.1, without checking revocation.
   *
   * @throws CaTokenException {@code CHAIN_REFUSED} with what is wrong
   */
  static void check(List<X509Certificate> chain, Instant at) {
    if (chain.size() < 2) {
      throw refused("the chain does not reach a root");
    }
    X509Certificate root = chain.getLast();
    try {
      root.verify(root.getPublicKey());
      root.checkValidity(Date.from(at));
    } catch (GeneralSecurityException e) {
      throw refused("the last certificate is not a valid self-signed root", e);
    }
    chain.forEach(IssuingChain::requireAuthority);
    if (chain.getFirst().getExtensionValue(SUBJECT_KEY_IDENTIFIER) == null) {
      throw refused("the issuing certificate has no subject key identifier");
    }
    try {
      PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(root, null)));
      parameters.setRevocationEnabled(false);
      parameters.setDate(Date.from(at));
      CertPathValidator.getInstance("PKIX")
          .validate(
              CertificateFactory.getInstance("X.509")
                  .generateCertPath(chain.subList(0, chain.size() - 1)),
              parameters);
    } catch (GeneralSecurityException e) {
      throw refused("the chain is not valid: " + e.getMessage(), e);
    }
  }

  static boolean isFor(X509Certificate certificate, PublicKey key) {
    return Arrays.equals(certificate.getPublicKey().getEncoded(), key.getEncoded());
  }

  /** Whether a certificate was signed by the key of another one, which is not itself. */
  static boolean isFrom(X509Certificate issuer, X509Certificate certificate) {
    if (!issuer.getSubjectX500Principal().equals(certificate.getIssuerX500Principal())) {
      return false;
    }
    try {
      certificate.verify(issuer.getPublicKey());
      return !issuer.equals(certificate);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private static void requireAuthority(X509Certificate certificate) {
    boolean[] usage = certificate.getKeyUsage();
    if (certificate.getBasicConstraints() < 0 || usage == null || !usage[KEY_CERT_SIGN]) {
      throw refused(
          "the certificate of "
              + certificate.getSubjectX500Principal()
              + " lacks cA=TRUE or keyCertSign");
    }
  }

  private static CaTokenException refused(String message) {
    return new CaTokenException(CaTokenException.Reason.CHAIN_REFUSED, message);
  }

  private static CaTokenException refused(String message, Exception cause) {
    return new CaTokenException(CaTokenException.Reason.CHAIN_REFUSED, message, cause);
  }
}
