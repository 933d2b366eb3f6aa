package org.keywell.signing.caller;

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

/** The part of a client certificate that identifies a caller. Equal values are the same name. */
sealed interface CertificateName extends CallerName {

  @Override
  default String field() {
    return "certificate";
  }

  /** The subject, compared character by character: names that only look or sort alike differ. */
  record Subject(ExactName name) implements CertificateName {}

  /** A DNS name among the subject alternative names; case-insensitive (RFC 4343). */
  record SanDns(String name) implements CertificateName {
    public SanDns {
      name = name.toLowerCase(Locale.ROOT);
    }
  }

  /** A URI among the subject alternative names, compared by octet, as SPIFFE ids are. */
  record SanUri(String uri) implements CertificateName {}

  /** The certificate's SHA-256 in lowercase hexadecimal. */
  record Fingerprint(String sha256) implements CertificateName {}

  /** Type numbers of {@code GeneralName} (RFC 5280, section 4.2.1.6). */
  int DNS = 2;

  int URI = 6;

  /** Returns empty if it cannot be read: such a name matches nobody. */
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

  /** Returns none if the extension is missing or unreadable: such a name matches nobody. */
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
