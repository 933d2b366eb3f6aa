package org.keywell.ca;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class FakeCertificateAuthorityTest extends CertificateAuthorityContract {
  private final FakeCertificateAuthority fake = new FakeCertificateAuthority();
  private final CertificationRequest request =
      SubjectKeyPair.ec("secp256r1").request(Subject.ofCommonName("Bob"));

  @Override
  protected CertificateAuthority authority() {
    return fake;
  }

  @Test
  void refusesUntilItRecovers() {
    fake.refuse(Certification.Reason.CA_UNAVAILABLE);
    assertThat(fake.certify(request)).isInstanceOf(Certification.Refused.class);
    fake.recover();
    assertThat(fake.certify(request)).isInstanceOf(Certification.Certified.class);
    assertThat(fake.calls()).isEqualTo(2);
  }

  @Test
  void aRefusalOfTheCasOwnFailsTheProofToo() {
    fake.refuse(Certification.Reason.CA_NOT_VALID);
    assertThat(fake.isValid()).isFalse();
    assertThat(fake.prove()).isPresent();
    fake.refuse(Certification.Reason.CA_UNAVAILABLE);
    assertThat(fake.isValid()).isTrue();
    assertThat(fake.prove()).isPresent();
    fake.refuse(Certification.Reason.KEY_NOT_ALLOWED);
    assertThat(fake.prove()).isEmpty();
  }

  @Test
  void throwsWhatItWasGiven() {
    fake.fail(new IllegalStateException("broken"));
    assertThatThrownBy(() -> fake.certify(request)).hasMessage("broken");
  }
}
