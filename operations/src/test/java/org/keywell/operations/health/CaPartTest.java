package org.keywell.operations.health;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.keywell.ca.Certification.Reason;
import org.keywell.ca.CertificationRequest;
import org.keywell.ca.FakeCertificateAuthority;
import org.keywell.ca.Subject;
import org.keywell.ca.SubjectKeyPair;
import org.keywell.signing.ca.CaWatch;
import org.keywell.signing.ca.IssuingCas;
import org.keywell.testkit.ManualTime;

final class CaPartTest {

  private static final CertificationRequest REQUEST =
      SubjectKeyPair.ec("secp256r1").request(Subject.ofCommonName("Part"));

  private final ManualTime time = new ManualTime();
  private final FakeCertificateAuthority ca = new FakeCertificateAuthority();
  private final AtomicBoolean deviceFails = new AtomicBoolean();
  private final CaWatch watch = new CaWatch("hsm", ca, deviceFails::get, time);
  private final Moments moments = new Moments(time, time);
  private final CaPart part = new CaPart(new IssuingCas(List.of(watch)), moments);

  @Test
  void isReadyWhileItCertifies() {
    watch.certify(REQUEST);

    assertThat(part.state().isReady()).isTrue();
    assertThat(part.state().details())
        .containsExactly(
            entry(
                "devices",
                Map.of(
                    "hsm", Map.of("validUntil", ca.chain().getFirst().getNotAfter().toInstant()))));
  }

  @Test
  void aKeyThatFailsIsAFaultUntilItSigns() {
    ca.refuse(Reason.CA_UNAVAILABLE);
    for (int i = 0; i < CaWatch.FAILURES; i++) {
      watch.certify(REQUEST);
    }

    PartState.Fault fault = part.state().fault().orElseThrow();
    assertThat(fault.reason()).isEqualTo("the CA's key failed 5 times in a row");
    assertThat(part.state().details())
        .extractingByKey("devices", as(MAP))
        .extractingByKey("hsm", as(MAP))
        .containsEntry("reason", fault.reason())
        .containsEntry("lastError", "a test refuses")
        .containsEntry("lastErrorAt", moments.now());

    ca.recover();
    watch.certify(REQUEST);
    assertThat(part.state().isReady()).isTrue();
  }

  @Test
  void aDeviceThatFailsIsTheDevicesFault() {
    deviceFails.set(true);
    assertThat(part.state().isReady()).isTrue();
  }

  @Test
  void withSeveralItIsReadyWhileOneCanIssue() {
    FakeCertificateAuthority other = new FakeCertificateAuthority();
    CaWatch one = new CaWatch("a", ca, deviceFails::get, time);
    CaPart both =
        new CaPart(
            new IssuingCas(List.of(one, new CaWatch("b", other, () -> false, time))), moments);
    assertThat(both.state().isReady()).isTrue();

    other.refuse(Reason.CA_NOT_VALID);
    assertThat(both.state().isReady()).isTrue();
    assertThat(both.state().details())
        .extractingByKey("devices", as(MAP))
        .hasSize(2)
        .extractingByKey("b", as(MAP))
        .containsKeys("reason", "validUntil");

    deviceFails.set(true);
    assertThat(both.state().fault().orElseThrow().reason())
        .isEqualTo(
            "a: its HSM fails; b: a certificate of the CA's chain is not valid now, or ends within"
                + " keywell.ca.profile.min-validity");
  }

  @Test
  void warnsAYearBeforeTheRootEndsAndNinetyDaysBeforeTheIssuingCertificateDoes() {
    Instant end = ca.chain().getFirst().getNotAfter().toInstant();
    time.advance(Duration.between(time.instant(), end.minus(Duration.ofDays(366))));
    assertThat(part.state().warnings()).isEmpty();

    time.advance(Duration.ofDays(2));
    assertThat(part.state().warnings())
        .containsExactly("the CA's root certificate ends at " + end + ": renew it");
    assertThat(part.state().isReady()).isTrue();

    time.advance(Duration.ofDays(275));
    assertThat(part.state().warnings())
        .containsExactly(
            "the CA's issuing certificate ends at " + end + ": renew it",
            "the CA's root certificate ends at " + end + ": renew it");
    assertThat(new PartHealth(part).health().getDetails()).containsKey("warnings");

    CaPart both =
        new CaPart(
            new IssuingCas(List.of(watch, new CaWatch("b", ca, () -> false, time))), moments);
    assertThat(both.state().warnings())
        .hasSize(4)
        .contains("b: the CA's issuing certificate ends at " + end + ": renew it");
  }

  @Test
  void certificatesThatAreNotValidAreAFaultSinceItWasSeen() {
    Instant seen = moments.now();
    ca.refuse(Reason.CA_NOT_VALID);
    assertThat(part.state().fault().orElseThrow().since()).isEqualTo(seen);
    time.advance(Duration.ofMinutes(1));

    PartState.Fault fault = part.state().fault().orElseThrow();
    assertThat(fault.reason()).contains("keywell.ca.profile.min-validity");
    assertThat(fault.since()).isEqualTo(seen);
  }
}
