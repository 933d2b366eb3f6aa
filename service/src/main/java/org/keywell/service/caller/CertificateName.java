package org.keywell.service.caller;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.keywell.ca.issuance.ExactName;

/** By which part of a client certificate a caller is known. Values are equal if they are one. */
sealed interface CertificateName {

  /** The subject, character by character: what only looks or sorts alike is another's. */
  record Subject(ExactName name) implements CertificateName {}

  /** A DNS name of the subject alternative names; case does not count (RFC 4343). */
  record SanDns(String name) implements CertificateName {
    public SanDns {
      name = name.toLowerCase(Locale.ROOT);
    }
  }

  /** A URI of the subject alternative names, octet for octet, as SPIFFE ids are. */
  record SanUri(String uri) implements CertificateName {}

  /** The SHA-256 of the certificate, in hexadecimal digits of lower case. */
  record Fingerprint(String sha256) implements CertificateName {}

  /** {@code GeneralName}'s numbers of its kinds (RFC 5280, section 4.2.1.6). */
  int DNS = 2;

  int URI = 6;

  /** None where it cannot be read: such a name fits nobody. */
  static Optional<CertificateName> subject(X509Certificate certificate) {
    return ExactName.of(certificate.getSubjectX500Principal()).map(Subject::new);
  }

  static CertificateName fingerprint(X509Certificate certificate) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
      return new Fingerprint(HexFormat.of().formatHex(digest));
    } catch (NoSuchAlgorithmException | CertificateEncodingException e) {
      throw new IllegalStateException("a certificate of a TLS connection has no fingerprint", e);
    }
  }

  /** None where the extension is missing, or cannot be read: such a name fits nobody. */
  static Set<CertificateName> alternativeNames(X509Certificate certificate) {
    Collection<List<?>> names;
    try {
      names = certificate.getSubjectAlternativeNames();
    } catch (CertificateParsingException e) {
      return Set.of();
    }
    if (names == null) {
      return Set.of();
    }
    return names.stream()
        .filter(name -> name.get(0).equals(DNS) || name.get(0).equals(URI))
        .map(name ->
            name.get(0).equals(DNS)
                ? new SanDns((String) name.get(1))
                : new SanUri((String) name.get(1)))
        .collect(Collectors.toUnmodifiableSet());
  }
}
