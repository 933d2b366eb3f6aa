package org.keywell.signing.ca;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.ca.Certification.Certified;
import org.keywell.ca.Certification.Reason;
import org.keywell.ca.Certification.Refused;
import org.keywell.ca.CertificationRequest;
import org.keywell.ca.FakeCertificateAuthority;
import org.keywell.ca.Subject;
import org.keywell.ca.SubjectKeyPair;
import org.keywell.testkit.ManualTime;

@Timeout(30)
final class CaWatchTest {

  private static final CertificationRequest REQUEST =
      SubjectKeyPair.ec("secp256r1").request(Subject.ofCommonName("Watched"));

  private final FakeCertificateAuthority ca = new FakeCertificateAuthority();
  private final AtomicBoolean deviceFails = new AtomicBoolean();
  private final CaWatch watch = new CaWatch("hsm", ca, deviceFails::get, new ManualTime());

  private void fail(int times) {
    ca.refuse(Reason.CA_UNAVAILABLE);
    for (int i = 0; i < times; i++) {
      assertThat(watch.certify(REQUEST)).isInstanceOf(Refused.class);
    }
  }

  @Test
  void failuresInARowBringItDown() {
    fail(CaWatch.FAILURES - 1);
    assertThat(watch.isDown()).isFalse();

    fail(1);

    assertThat(watch.isDown()).isTrue();
    assertThat(watch.lastFailure().orElseThrow().inARow()).isEqualTo(CaWatch.FAILURES);
  }

  @Test
  void aCertificateInBetweenStartsTheCountAnew() {
    fail(CaWatch.FAILURES - 1);
    ca.recover();
    assertThat(watch.certify(REQUEST)).isInstanceOf(Certified.class);
    fail(CaWatch.FAILURES - 1);

    assertThat(watch.isDown()).isFalse();
  }

  /** A device that returns garbage is known by what it signs, not by what it says. */
  @Test
  void signaturesThatDoNotVerifyAreFailuresAndCounted() {
    ca.refuse(Reason.CA_SIGNATURE_WRONG);
    for (int i = 0; i < CaWatch.FAILURES; i++) {
      assertThat(watch.certify(REQUEST)).isInstanceOf(Refused.class);
    }

    assertThat(watch.isDown()).isTrue();
    assertThat(watch.wrongSignatures()).isEqualTo(CaWatch.FAILURES);
    watch.look();
    assertThat(watch.isDown()).as("its proof fails as well").isTrue();
    ca.recover();
    watch.look();
    assertThat(watch.isDown()).isFalse();
    assertThat(watch.wrongSignatures()).as("kept").isEqualTo(CaWatch.FAILURES);
  }

  /** Else a few stored keys that are not what they should be would stop all signing. */
  @Test
  void refusedKeysSayNothingOfTheCa() {
    for (Reason reason : new Reason[] {Reason.POSSESSION_NOT_PROVEN, Reason.KEY_NOT_ALLOWED}) {
      ca.refuse(reason);
      for (int i = 0; i < 2 * CaWatch.FAILURES; i++) {
        assertThat(watch.certify(REQUEST)).isInstanceOf(Refused.class);
      }
    }

    assertThat(watch.isDown()).isFalse();
    assertThat(watch.lastFailure()).isEmpty();
  }

  @Test
  void onlyAProofBringsItUpAgain() {
    watch.look();
    assertThat(ca.proofs()).as("not asked while it works").isZero();
    fail(CaWatch.FAILURES);

    watch.look();
    assertThat(watch.isDown()).isTrue();
    ca.recover();
    assertThat(watch.isDown()).isTrue();
    watch.look();

    assertThat(watch.isDown()).isFalse();
    assertThat(ca.proofs()).isEqualTo(2);
    assertThat(watch.lastFailure()).as("kept for operators").isPresent();
  }

  @Test
  void canIssueUnlessSomethingIsKnownThatKeepsItFromThat() {
    assertThat(watch.canIssue()).isTrue();
    deviceFails.set(true);
    assertThat(watch.canIssue()).isFalse();
    deviceFails.set(false);
    ca.refuse(Reason.CA_NOT_VALID);
    assertThat(watch.canIssue()).isFalse();
    fail(CaWatch.FAILURES);
    assertThat(watch.canIssue()).isFalse();
    ca.recover();
    watch.look();
    assertThat(watch.canIssue()).isTrue();
  }
}
