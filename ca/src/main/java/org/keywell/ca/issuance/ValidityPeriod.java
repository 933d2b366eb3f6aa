package org.keywell.ca.issuance;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.bouncycastle.asn1.x509.Time;
import org.bouncycastle.asn1.x509.Validity;
import org.keywell.ca.CertificateProfile;

/**
 * Computes the validity of certificates: in whole seconds and within the validity of every
 * certificate in the CA's chain, so both the shell and the chain model of validation accept them.
 */
final class ValidityPeriod {
  private final Instant chainNotBefore;
  private final Instant chainNotAfter;
  private final long firstIssueMillis;
  private final long lastIssueMillis;

  /**
   * @param minValidity how long the chain must still be valid when a certificate is issued
   */
  ValidityPeriod(Duration minValidity, List<X509Certificate> chain) {
    this.chainNotBefore =
        Collections.max(chain.stream().map(c -> c.getNotBefore().toInstant()).toList());
    this.chainNotAfter =
        Collections.min(chain.stream().map(c -> c.getNotAfter().toInstant()).toList());
    this.firstIssueMillis = chainNotBefore.toEpochMilli();
    this.lastIssueMillis = chainNotAfter.minus(minValidity).toEpochMilli();
  }

  /** Whether a certificate may be issued at this time. */
  boolean allows(long epochMillis) {
    return firstIssueMillis <= epochMillis && epochMillis <= lastIssueMillis;
  }

  /** Returns the validity of a certificate issued now under a profile; empty if none may be. */
  Optional<Validity> from(Instant now, CertificateProfile profile) {
    if (!allows(now.toEpochMilli())) {
      return Optional.empty();
    }
    Instant wanted = now.minus(profile.backdate());
    Instant notBefore = wanted.isBefore(chainNotBefore) ? chainNotBefore : wanted;
    Instant end = now.plus(profile.validity());
    Instant notAfter = end.isAfter(chainNotAfter) ? chainNotAfter : end;
    return Optional.of(new Validity(time(notBefore), time(notAfter)));
  }

  private static Time time(Instant instant) {
    return new Time(Date.from(instant.truncatedTo(ChronoUnit.SECONDS)), Locale.ROOT);
  }
}
