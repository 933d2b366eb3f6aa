package org.keywell.rest.tls;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.keywell.rest.tls.Finding.Status;
import org.keywell.settings.RevocationProperties;

/** Determines by the CRL file and by OCSP whether certificates are revoked. Thread-safe. */
public final class Revocation implements AutoCloseable {

  private final RevocationProperties properties;
  private final @Nullable CrlFile file;
  private final @Nullable OcspClient ocsp;

  /**
   * Reads the CRL file, if there is one.
   *
   * @throws org.keywell.settings.StartRefusedException if it is invalid
   */
  public Revocation(RevocationProperties properties, InstantSource clock, LongSupplier nanoClock) {
    this.properties = properties;
    this.file =
        properties.crlFile() == null
            ? null
            : new CrlFile(properties.crlFile(), clock.instant(), nanoClock);
    this.ocsp =
        properties.ocsp() == null
            ? null
            : new OcspClient(properties.responder(), properties.timeLimit());
  }

  /** Returns the earliest end of the CRL file's lists; null without such a file. */
  public @Nullable Instant listEnd() {
    return file == null ? null : file.lists().end();
  }

  RevocationProperties properties() {
    return properties;
  }

  /** Whether a check may have to wait for another machine. */
  boolean waits() {
    return ocsp != null;
  }

  /** Returns the lists; a change invalidates earlier findings. Null without a file. */
  @Nullable RevocationLists lists() {
    return file == null ? null : file.lists();
  }

  /**
   * Returns what is known about a certificate that its issuer signed. It is revoked if either
   * source says so; good if the responder says so or, while that gives no answer, the file.
   */
  Finding find(X509Certificate certificate, X509Certificate issuer, Instant now) {
    RevocationLists lists = lists();
    Finding listed =
        lists == null
            ? Finding.of(Status.UNKNOWN, "there is no CRL file")
            : lists.find(certificate, issuer, now);
    if (ocsp == null || listed.status() == Status.REVOKED) {
      return listed;
    }
    Finding told = ocsp.find(certificate, issuer, now);
    return told.status() == Status.UNKNOWN && listed.status() == Status.GOOD ? listed : told;
  }

  /** Ends queries in progress. */
  @Override
  public void close() {
    if (ocsp != null) {
      ocsp.close();
    }
  }
}
