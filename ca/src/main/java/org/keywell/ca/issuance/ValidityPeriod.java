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
 * When certificates are valid, in whole seconds and always within the validity of each of the CA's
 * own, so that both the shell and the chain model of validation accept them.
 */
final class ValidityPeriod {
  private final Instant chainNotBefore;
  private final Instant chainNotAfter;
  private final long firstIssueMillis;
  private final long lastIssueMillis;

  /**
   * @param minValidity how long the chain has to be valid still when something is issued
   */
  ValidityPeriod(Duration minValidity, List<X509Certificate> chain) {
    this.chainNotBefore =
        Collections.max(chain.stream().map(c -> c.getNotBefore().toInstant()).toList());
    this.chainNotAfter =
        Collections.min(chain.stream().map(c -> c.getNotAfter().toInstant()).toList());
    this.firstIssueMillis = chainNotBefore.toEpochMilli();
    this.lastIssueMillis = chainNotAfter.minus(minValidity).toEpochMilli();
  }

  /** Whether a certificate may be issued at this moment. */
  boolean allows(long epochMillis) {
    return firstIssueMillis <= epochMillis && epochMillis <= lastIssueMillis;
  }

  /** The validity of what is issued now by a profile; empty if nothing may be. */
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
