package org.keywell.ca.issuance;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.Locale;
import java.util.Optional;
import org.bouncycastle.asn1.x509.Time;
import org.bouncycastle.asn1.x509.Validity;
import org.keywell.ca.CertificateProfile;

/**
 * When certificates are valid, in whole seconds and always within the issuer's own validity, so
 * that both the shell and the chain model of validation accept them.
 */
final class ValidityPeriod {
  private final Duration backdate;
  private final Duration validity;
  private final Instant issuerNotBefore;
  private final Instant issuerNotAfter;

  ValidityPeriod(CertificateProfile profile, X509Certificate issuer) {
    this.backdate = profile.backdate();
    this.validity = profile.validity();
    this.issuerNotBefore = issuer.getNotBefore().toInstant();
    this.issuerNotAfter = issuer.getNotAfter().toInstant();
  }

  /** The validity of what is issued now; empty while the issuer is itself not valid. */
  Optional<Validity> from(Instant now) {
    if (now.isBefore(issuerNotBefore) || now.isAfter(issuerNotAfter)) {
      return Optional.empty();
    }
    Instant wanted = now.minus(backdate);
    Instant notBefore = wanted.isBefore(issuerNotBefore) ? issuerNotBefore : wanted;
    Instant end = now.plus(validity);
    Instant notAfter = end.isAfter(issuerNotAfter) ? issuerNotAfter : end;
    return Optional.of(new Validity(time(notBefore), time(notAfter)));
  }

  private static Time time(Instant instant) {
    return new Time(Date.from(instant.truncatedTo(ChronoUnit.SECONDS)), Locale.ROOT);
  }
}
