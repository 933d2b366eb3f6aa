package org.keywell.rest.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CRL;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.keywell.rest.tls.Finding.Status;

/**
 * Complete revocation lists of authorities (RFC 5280, section 5). Partial lists and lists of other
 * authorities' certificates are refused: readers would have to know what they leave out.
 */
record RevocationLists(List<X509CRL> lists) {

  private static final long MAX_BYTES = 64L << 20;
  private static final int CRL_SIGN = 6;

  /**
   * Reads a file with PEM lists, one after the other, or with one DER list.
   *
   * @throws IOException if it cannot be read, or its content is invalid
   */
  static RevocationLists read(Path file) throws IOException {
    if (Files.size(file) > MAX_BYTES) {
      throw new IOException("it is larger than 64 MiB");
    }
    byte[] content = Files.readAllBytes(file);
    List<X509CRL> lists = new ArrayList<>();
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      for (CRL crl : factory.generateCRLs(new ByteArrayInputStream(content))) {
        X509CRL list = (X509CRL) crl;
        Set<String> critical = list.getCriticalExtensionOIDs();
        if (critical != null && !critical.isEmpty()) {
          throw new IOException(
              "the list of %s is not a complete one of its own certificates: critical extension %s"
                  .formatted(list.getIssuerX500Principal(), critical));
        }
        lists.add(list);
      }
    } catch (GeneralSecurityException e) {
      throw new IOException("it has no revocation lists in PEM or DER: " + e.getMessage(), e);
    }
    if (lists.isEmpty()) {
      throw new IOException("it has no revocation list");
    }
    return new RevocationLists(List.copyOf(lists));
  }

  /** Returns what its issuer's current lists, if there are any, say about a certificate. */
  Finding find(X509Certificate certificate, X509Certificate issuer, Instant now) {
    Finding found =
        Finding.of(
            Status.UNKNOWN,
            "the CRL file has no current list of " + issuer.getSubjectX500Principal());
    for (X509CRL list : lists) {
      if (isOf(list, issuer) && isCurrent(list, now)) {
        if (list.getRevokedCertificate(certificate) != null) {
          return Finding.of(Status.REVOKED, "by the CRL of " + issuer.getSubjectX500Principal());
        }
        found = Finding.good(list.getNextUpdate().toInstant());
      }
    }
    return found;
  }

  /** Returns the earliest end of the lists; one without an end counts as long ended. */
  Instant end() {
    return lists.stream()
        .map(X509CRL::getNextUpdate)
        .map(end -> end == null ? Instant.EPOCH : end.toInstant())
        .min(Comparator.naturalOrder())
        .orElse(Instant.EPOCH);
  }

  /** Whether a list is current; one without an end, which RFC 5280 demands, never is. */
  static boolean isCurrent(X509CRL list, Instant now) {
    return !list.getThisUpdate().toInstant().isAfter(now)
        && list.getNextUpdate() != null
        && now.isBefore(list.getNextUpdate().toInstant());
  }

  private static boolean isOf(X509CRL list, X509Certificate issuer) {
    if (!list.getIssuerX500Principal().equals(issuer.getSubjectX500Principal())) {
      return false;
    }
    boolean[] usage = issuer.getKeyUsage();
    if (usage != null && !usage[CRL_SIGN]) {
      return false;
    }
    try {
      list.verify(issuer.getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      // A list of another authority of that name, or one that was tampered with: it proves nothing.
      return false;
    }
  }
}
