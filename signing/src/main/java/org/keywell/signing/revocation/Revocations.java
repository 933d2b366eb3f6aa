package org.keywell.signing.revocation;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.keywell.ca.revocation.CrlShard;
import org.keywell.ca.revocation.Revocation;
import org.keywell.ca.revocation.RevocationReason;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.log.LogEntry;
import org.keywell.signing.request.Refusal;
import org.keywell.signing.request.RefusedException;

/**
 * Revokes certificates; no revocation is ever taken back. Thread-safe. Each method throws {@link
 * org.keywell.signing.database.DatabaseException} if the database fails, and {@link
 * RefusedException} while the clock is in doubt.
 */
public final class Revocations {

  /** More than any request waits before its key is certified. */
  private static final Duration LONGEST_WAIT = Duration.ofHours(1);

  private static final Duration CLOCK_IS_COMPARED_AGAIN = Duration.ofSeconds(2);

  private final RevocationTable table;
  private final Supplier<List<X509Certificate>> issuers;
  private final Runnable revoked;
  private final Duration longestLife;
  private final InstantSource clock;
  private final BooleanSupplier clockIsInDoubt;
  private final String instance;

  /**
   * @param issuers the issuing CAs' own certificates, for certificates that are not on record
   * @param revoked run after a revocation
   * @param longestLife of certificates on record that name a list
   * @param clockIsInDoubt whether no revocation may be dated by the clock
   */
  Revocations(
      RevocationTable table,
      Supplier<List<X509Certificate>> issuers,
      Runnable revoked,
      Duration longestLife,
      InstantSource clock,
      BooleanSupplier clockIsInDoubt,
      String instance) {
    this.table = table;
    this.issuers = issuers;
    this.revoked = revoked;
    this.longestLife = longestLife;
    this.clock = clock;
    this.clockIsInDoubt = clockIsInDoubt;
    this.instance = instance;
  }

  /** Revokes the certificate of a request. */
  public RevocationAnswer revoke(Caller by, UUID requestId, RevocationReason reason) {
    return onRecord(by, table.certificate(requestId), reason);
  }

  /** Revokes the signer's certificate with a serial number, which is unique in practice. */
  public RevocationAnswer revoke(Caller by, BigInteger serial, RevocationReason reason) {
    return onRecord(by, table.certificate(serial, since()), reason);
  }

  /**
   * Revokes the certificate of the request that has a commitment to its signer in the log. Salts
   * differ, so that no two requests have the same.
   *
   * @param commitment in lower-case hexadecimal digits
   */
  public RevocationAnswer revoke(Caller by, String commitment, RevocationReason reason) {
    return onRecord(by, table.certificate(commitment, since()), reason);
  }

  /** What was received before has no certificate that is still valid. */
  private Instant since() {
    return clock.instant().minus(longestLife).minus(LONGEST_WAIT);
  }

  private RevocationAnswer onRecord(Caller by, Optional<byte[]> found, RevocationReason reason) {
    return found
        .map(certificate -> revokeOurs(by, parse(certificate), reason))
        .orElseGet(RevocationAnswer.Unknown::new);
  }

  /** Revokes this certificate, which may be one of the service's own. */
  public RevocationAnswer revoke(Caller by, X509Certificate certificate, RevocationReason reason) {
    if (certificate.getBasicConstraints() >= 0) {
      return new RevocationAnswer.NotRevocable("a CA's certificate is revoked by its own issuer");
    }
    return issuers.get().stream().anyMatch(issuer -> isFrom(issuer, certificate))
        ? revokeOurs(by, certificate, reason)
        : new RevocationAnswer.NotRevocable("no CA of this instance has issued the certificate");
  }

  private static boolean isFrom(X509Certificate issuer, X509Certificate certificate) {
    if (!issuer.getSubjectX500Principal().equals(certificate.getIssuerX500Principal())) {
      return false;
    }
    try {
      certificate.verify(issuer.getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private RevocationAnswer revokeOurs(
      Caller by, X509Certificate certificate, RevocationReason reason) {
    Optional<URI> list = CrlShard.namedBy(certificate);
    if (list.isEmpty()) {
      return new RevocationAnswer.NotRevocable(
          "the certificate names no list: nobody would look for its revocation");
    }
    Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    if (clockIsInDoubt.getAsBoolean()) {
      throw new RefusedException(
          new Refusal(
              Refusal.Reason.CA_UNAVAILABLE,
              "this instance's clock and the database's disagree; no revocation is dated by it",
              CLOCK_IS_COMPARED_AGAIN));
    }
    if (!now.isBefore(certificate.getNotAfter().toInstant())) {
      return new RevocationAnswer.NotRevocable("the certificate has expired");
    }
    CrlShard shard = CrlShard.at(list.get().toString()).orElseThrow();
    String serial = certificate.getSerialNumber().toString(16);
    Revocation stands =
        table.add(
            shard,
            new Revocation(certificate.getSerialNumber(), now, reason),
            by.name(),
            LogEntry.of("revocation")
                .text("instance", instance)
                .time("at", now)
                .text("caller", by.name())
                .text("list", shard.path())
                .text("serial", serial)
                .text("reason", reason.label()));
    revoked.run();
    return new RevocationAnswer.Revoked(stands, list.get());
  }

  private static X509Certificate parse(byte[] certificate) {
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(certificate));
    } catch (CertificateException e) {
      throw new IllegalStateException("a certificate on record cannot be read", e);
    }
  }
}
