package org.keywell.ca.issuance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.Certification;
import org.keywell.ca.Certification.Reason;
import org.keywell.ca.CertificationRequest;
import org.keywell.ca.ProfileSettings;
import org.keywell.ca.Subject;
import org.keywell.ca.SubjectKeyPair;
import org.keywell.ca.token.CaKeySpec;
import org.keywell.ca.token.SoftwareCa;

class CaKeyFaultsTest {
  private final SwitchedProvider provider = new SwitchedProvider();
  private final IssuingKey software = SoftwareCa.issuingKey(CaKeySpec.EC_P256);
  private final CertificationRequest request =
      SubjectKeyPair.ec("secp256r1").request(Subject.ofCommonName("Dave"));

  private CertificateAuthority authority(SigningLimits limits) {
    return authority(new IssuingKey(software.privateKey(), provider, software.chain()), limits);
  }

  private static CertificateAuthority authority(IssuingKey key, SigningLimits limits) {
    return new BouncyCastleCertificateAuthority(
        key,
        CertificateProfiles.ofStandard(ProfileSettings.defaults()),
        limits,
        InstantSource.system(),
        new SecureRandom());
  }

  private static void assertUnavailable(Certification answer, String why) {
    assertRefused(answer, Reason.CA_UNAVAILABLE, why);
  }

  private static void assertRefused(Certification answer, Reason reason, String why) {
    assertThat(answer)
        .isInstanceOfSatisfying(
            Certification.Refused.class,
            refused -> {
              assertThat(refused.reason()).isEqualTo(reason);
              assertThat(refused.detail()).contains(why);
            });
  }

  @Test
  void aKeyThatFailsIsAnsweredAndThenUsedAgain() {
    CertificateAuthority authority = authority(SigningLimits.defaults());
    provider.beforeEachSignature(() -> {
      throw new IllegalStateException("CKR_DEVICE_ERROR");
    });
    for (int i = 0; i < 20; i++) {
      assertUnavailable(authority.certify(request), "did not sign");
    }
    assertUnavailable(authority.prove().orElseThrow(), "did not sign");
    assertThat(authority.isValid()).isTrue();
    provider.beforeEachSignature(() -> "nothing");
    assertThat(authority.prove()).isEmpty();
    for (int i = 0; i < 20; i++) {
      assertThat(authority.certify(request)).isInstanceOf(Certification.Certified.class);
    }
  }

  /** Modules return garbage with CKR_OK: in one bit, altogether, too short, or nothing. */
  @Test
  void aSignatureThatDoesNotVerifyIsNotIssued() {
    CertificateAuthority authority = authority(SigningLimits.defaults());
    List<UnaryOperator<byte[]>> garbage =
        List.of(
            signature -> {
              signature[signature.length - 1] ^= 1;
              return signature;
            },
            signature -> new byte[signature.length],
            signature -> Arrays.copyOf(signature, signature.length - 1),
            signature -> new byte[0]);
    for (UnaryOperator<byte[]> one : garbage) {
      provider.instead(one);
      assertRefused(authority.certify(request), Reason.CA_SIGNATURE_WRONG, "does not verify");
      assertRefused(authority.prove().orElseThrow(), Reason.CA_SIGNATURE_WRONG, "does not verify");
    }

    provider.instead(UnaryOperator.identity());
    assertThat(authority.prove()).isEmpty();
    assertThat(authority.certify(request)).isInstanceOf(Certification.Certified.class);
  }

  @Test
  void theWaitForATurnIsBounded() throws Exception {
    CertificateAuthority authority = authority(new SigningLimits(1, Duration.ofMillis(1)));
    CountDownLatch signing = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    provider.beforeEachSignature(() -> {
      signing.countDown();
      go.await();
      return "gone";
    });
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      Future<Certification> held = thread.submit(() -> authority.certify(request));
      signing.await();
      assertUnavailable(authority.certify(request), "maxWait");
      go.countDown();
      assertThat(held.get()).isInstanceOf(Certification.Certified.class);
    }
  }

  @Test
  void asManySignAtOnceAsTheLimitSays() throws Exception {
    CyclicBarrier allAtOnce = new CyclicBarrier(10);
    CertificateAuthority authority = authority(SigningLimits.of(10));
    provider.beforeEachSignature(() -> allAtOnce.await(10, TimeUnit.SECONDS));
    try (ExecutorService threads = Executors.newFixedThreadPool(10)) {
      Callable<Certification> certify = () -> authority.certify(request);
      for (Future<Certification> answer : threads.invokeAll(Collections.nCopies(10, certify))) {
        assertThat(answer.get()).isInstanceOf(Certification.Certified.class);
      }
    }
  }

  @Test
  void theKeyHasToProveItselfAtFirst() {
    provider.beforeEachSignature(() -> {
      throw new IllegalStateException("CKR_DEVICE_ERROR");
    });
    assertThatExceptionOfType(IssuingKeyException.class)
        .isThrownBy(() -> authority(SigningLimits.of(10)))
        .withMessageContaining("does not sign");
  }

  @Test
  void anInterruptedWaitIsAnsweredAndTheInterruptKept() {
    CertificateAuthority authority = authority(SigningLimits.defaults());
    Thread.currentThread().interrupt();
    assertUnavailable(authority.certify(request), "interrupted");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void aKeyOfAnotherCertificateIsFoundAtOnce() {
    IssuingKey other = SoftwareCa.issuingKey(CaKeySpec.EC_P256);
    IssuingKey mixed = new IssuingKey(other.privateKey(), other.provider(), software.chain());
    assertThatExceptionOfType(IssuingKeyException.class)
        .isThrownBy(() -> authority(mixed, SigningLimits.defaults()))
        .withMessageContaining("does not verify");
  }

  @Test
  void limitsNameWhatIsOutOfRange() {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> new SigningLimits(51, Duration.ofSeconds(1)))
        .withMessageContaining("concurrentSignatures");
    for (Duration wait : List.of(Duration.ZERO, Duration.ofSeconds(61))) {
      assertThatExceptionOfType(IllegalArgumentException.class)
          .isThrownBy(() -> new SigningLimits(1, wait))
          .withMessageContaining("maxWait");
    }
  }
}
