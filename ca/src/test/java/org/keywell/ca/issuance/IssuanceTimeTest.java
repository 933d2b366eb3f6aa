package org.keywell.ca.issuance;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.Certificates;
import org.keywell.ca.Certification;
import org.keywell.ca.ProfileSettings;
import org.keywell.ca.Subject;
import org.keywell.ca.SubjectKeyPair;
import org.keywell.ca.token.CaKeySpec;
import org.keywell.ca.token.SoftwareCa;

/** An issuing CA that was made on 2049-12-01 and lives for 100 days; certificates last a day. */
class IssuanceTimeTest {
  private static final Instant MADE = Instant.parse("2049-12-01T00:00:00Z");
  private static final IssuingKey KEY =
      SoftwareCa.issuingKey(CaKeySpec.EC_P256, MADE, Duration.ofDays(100));
  private static final Instant END = KEY.certificate().getNotAfter().toInstant();

  private static Certification certifyAt(Instant now) {
    return certifyAt(KEY, now);
  }

  private static Certification certifyAt(IssuingKey key, Instant now) {
    CertificateAuthority authority =
        new BouncyCastleCertificateAuthority(
            key,
            CertificateProfiles.ofStandard(ProfileSettings.defaults()),
            SigningLimits.defaults(),
            () -> now,
            new SecureRandom());
    Certification answer =
        authority.certify(SubjectKeyPair.ec("secp256r1").request(Subject.ofCommonName("Time")));
    boolean issued = answer instanceof Certification.Certified;
    assertThat(authority.isValid()).as("is valid at " + now).isEqualTo(issued);
    assertThat(authority.prove().isEmpty()).as("proves itself at " + now).isEqualTo(issued);
    return answer;
  }

  private static void assertPeriod(Instant now, String notBefore, String notAfter) {
    X509Certificate certificate = Certificates.of(certifyAt(now));
    assertThat(certificate.getNotBefore().toInstant()).isEqualTo(notBefore);
    assertThat(certificate.getNotAfter().toInstant()).isEqualTo(notAfter);
  }

  @Test
  void isBackdatedAndInWholeSeconds() {
    assertPeriod(
        Instant.parse("2049-12-10T12:00:00.999Z"), "2049-12-10T11:59:00Z", "2049-12-11T12:00:00Z");
  }

  @Test
  void crossesTheYear2050() {
    assertPeriod(
        Instant.parse("2049-12-31T12:00:00Z"), "2049-12-31T11:59:00Z", "2050-01-01T12:00:00Z");
  }

  @Test
  void staysWithinTheIssuersValidity() {
    Instant start = KEY.certificate().getNotBefore().toInstant();
    assertPeriod(start.plusSeconds(10), start.toString(), start.plusSeconds(86_410).toString());
    assertPeriod(END.minusSeconds(60), END.minusSeconds(120).toString(), END.toString());
  }

  @Test
  void nothingIsIssuedOutsideTheIssuersValidity() {
    Instant start = KEY.certificate().getNotBefore().toInstant();
    for (Instant now : new Instant[] {start.minusSeconds(1), END.plusSeconds(1)}) {
      assertNotValid(certifyAt(now));
    }
  }

  /** A minute by default; one that ends a moment after its issue is of no use to anybody. */
  @Test
  void nothingIsIssuedThatLivesShorterThanItMust() {
    for (Instant now : new Instant[] {END.minusSeconds(60).plusMillis(1), END.minusMillis(100)}) {
      assertNotValid(certifyAt(now));
    }
    assertThat(certifyAt(END.minusSeconds(60))).isInstanceOf(Certification.Certified.class);
  }

  /** Validators by the shell model look at each certificate of the chain. */
  @Test
  void aRootThatEndsFirstEndsTheIssuing() {
    IssuingKey key = SoftwareCa.issuingKeyThatOutlivesItsRoot(MADE, Duration.ofDays(10));
    Instant rootEnd = key.chain().getLast().getNotAfter().toInstant();

    assertNotValid(certifyAt(key, rootEnd.plusSeconds(1)));
    assertThat(Certificates.of(certifyAt(key, rootEnd.minusSeconds(600))).getNotAfter().toInstant())
        .isEqualTo(rootEnd);
  }

  private static void assertNotValid(Certification answer) {
    assertThat(answer)
        .isInstanceOfSatisfying(
            Certification.Refused.class,
            refused -> assertThat(refused.reason()).isEqualTo(Certification.Reason.CA_NOT_VALID));
  }
}
