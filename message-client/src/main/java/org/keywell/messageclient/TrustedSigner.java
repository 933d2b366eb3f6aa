package org.keywell.messageclient;

import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import javax.security.auth.x500.X500Principal;

/**
 * Whose signature under an answer counts: a subject, below an authority. Does not look for
 * revocation: replace the authority if its word is not enough.
 */
public final class TrustedSigner {

  private final TrustAnchor authority;
  private final String subject;

  /**
   * For one subject.
   *
   * @param authority a certificate that needs no proof
   * @param subject compared character by character: letters in another case are another name
   */
  public TrustedSigner(X509Certificate authority, X500Principal subject) {
    this.authority = new TrustAnchor(authority, null);
    this.subject = name(subject);
  }

  /**
   * Whether the signer is the subject, by certificates valid at that time.
   *
   * @param chain leaf first, with or without the authority
   */
  boolean trusts(List<X509Certificate> chain, Instant time) {
    if (chain.isEmpty() || !subject.equals(name(chain.get(0).getSubjectX500Principal()))) {
      return false;
    }
    List<X509Certificate> path =
        chain.stream().takeWhile(each -> !each.equals(authority.getTrustedCert())).toList();
    if (path.isEmpty()) {
      return false;
    }
    try {
      PKIXParameters parameters = new PKIXParameters(Set.of(authority));
      parameters.setRevocationEnabled(false);
      parameters.setDate(Date.from(time));
      CertPathValidator.getInstance("PKIX")
          .validate(CertificateFactory.getInstance("X.509").generateCertPath(path), parameters);
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  /** The form that keeps letters as they are. */
  private static String name(X500Principal subject) {
    return subject.getName(X500Principal.RFC2253);
  }
}
