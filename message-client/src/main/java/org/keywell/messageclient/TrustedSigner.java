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
 * Whose signature under an answer counts: a subject, below an authority, whose certificate may sign
 * in protocols ({@code digitalSignature}). What a person's certificate is for ({@code
 * contentCommitment}) does not suffice: callers choose the names in those, and what is signed. Does
 * not look for revocation: replace the authority if its word is not enough.
 */
public final class TrustedSigner {

  private static final int DIGITAL_SIGNATURE = 0;

  private final TrustAnchor authority;
  private final String subject;

  /**
   * For one subject.
   *
   * @param authority a certificate that needs no proof; best one that certifies no persons, since a
   *     profile of the service's own CA may allow {@code digitalSignature}
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
    if (chain.isEmpty() || !isService(chain.get(0))) {
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

  private boolean isService(X509Certificate leaf) {
    boolean[] usage = leaf.getKeyUsage();
    return subject.equals(name(leaf.getSubjectX500Principal()))
        && (usage == null || usage[DIGITAL_SIGNATURE]);
  }

  /** The form that keeps letters as they are. */
  private static String name(X500Principal subject) {
    return subject.getName(X500Principal.RFC2253);
  }
}
