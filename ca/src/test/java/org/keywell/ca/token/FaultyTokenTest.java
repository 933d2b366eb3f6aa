package org.keywell.ca.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.Certificates;
import org.keywell.ca.Certification;
import org.keywell.ca.CertificationRequest;
import org.keywell.ca.ProfileSettings;
import org.keywell.ca.Subject;
import org.keywell.ca.SubjectKeyPair;
import org.keywell.ca.issuance.BouncyCastleCertificateAuthority;
import org.keywell.ca.issuance.SigningLimits;
import org.keywell.testkit.Fault;
import org.keywell.testkit.FaultyModule;

/** The CA on a token that fails for a while. */
@Tag("softhsm")
@Timeout(60)
final class FaultyTokenTest {
  private static final long CKR_DEVICE_ERROR = 0x30;
  private static final long CKR_DEVICE_REMOVED = 0x32;
  private static final int MORE_THAN_SIGNERS = 20;
  private static final int ATTEMPTS = 60;

  private final CertificationRequest request =
      SubjectKeyPair.ec("secp256r1").request(Subject.ofCommonName("Dave"));

  private static CertificateAuthority authority(FaultyModule module) {
    return authority(module, CaKeySpec.EC_P256);
  }

  private static CertificateAuthority authority(FaultyModule module, CaKeySpec spec) {
    SoftHsm token = SoftHsm.behind(module.path());
    CaSettings settings = TestSettings.unique(spec);
    bootstrap(token, settings).ensure();
    return new BouncyCastleCertificateAuthority(
        new CaToken(token.keys()).issuingKey(settings.issuingLabel(), InstantSource.system()),
        CertificateProfiles.ofStandard(ProfileSettings.defaults()),
        SigningLimits.defaults(),
        InstantSource.system(),
        new SecureRandom());
  }

  private static CaBootstrap bootstrap(SoftHsm token, CaSettings settings) {
    return CaBootstrap.in(token.keys(), settings, InstantSource.system(), new SecureRandom());
  }

  private static void assertUnavailable(Certification answer) {
    assertThat(answer)
        .isInstanceOfSatisfying(
            Certification.Refused.class,
            refused -> assertThat(refused.reason()).isEqualTo(Certification.Reason.CA_UNAVAILABLE));
  }

  @Test
  void itIssuesAgainOnceTheTokenSigns(@TempDir Path directory) {
    try (FaultyModule module = FaultyModule.create(directory)) {
      CertificateAuthority authority = authority(module);
      assertThat(authority.certify(request)).isInstanceOf(Certification.Certified.class);

      module.inject("C_Sign", Fault.returning(CKR_DEVICE_ERROR));
      for (int i = 0; i < MORE_THAN_SIGNERS; i++) {
        assertUnavailable(authority.certify(request));
      }
      module.clear("C_Sign");
      assertThat(module.faults("C_Sign")).isPositive();

      module.gone(CKR_DEVICE_REMOVED);
      assertUnavailable(authority.certify(request));
      module.back();

      for (int i = 0; i < MORE_THAN_SIGNERS; i++) {
        assertThat(authority.certify(request)).isInstanceOf(Certification.Certified.class);
      }
    }
  }

  /** There are two sessions here. */
  @Test
  void aSessionInWhichAnOperationStaysActiveFailsNoOtherRequest(@TempDir Path directory)
      throws Exception {
    try (FaultyModule module = FaultyModule.create(directory)) {
      CertificateAuthority authority = authority(module);
      module.inject("C_Sign", Fault.delayedBy(Duration.ofMillis(300)));
      try (ExecutorService two = Executors.newFixedThreadPool(2)) {
        Callable<Certification> certify = () -> authority.certify(request);
        for (Future<Certification> each : two.invokeAll(List.of(certify, certify))) {
          assertThat(each.get()).isInstanceOf(Certification.Certified.class);
        }
      }

      module.inject("C_Sign", Fault.returning(CKR_DEVICE_ERROR).keepingTheOperation().times(1));
      assertUnavailable(authority.certify(request));

      for (int i = 0; i < MORE_THAN_SIGNERS; i++) {
        assertThat(authority.certify(request)).isInstanceOf(Certification.Certified.class);
      }
    }
  }

  /** A root that does not verify would stay: existing keys are never replaced. */
  @ParameterizedTest
  @CsvSource({"EC_P256, C_Sign", "RSA_3072, C_Sign"})
  void aCaIsNotMadeOfSignaturesThatDoNotVerify(
      CaKeySpec spec, String function, @TempDir Path directory) {
    try (FaultyModule module = FaultyModule.create(directory)) {
      SoftHsm token = SoftHsm.behind(module.path());
      CaBootstrap bootstrap = bootstrap(token, TestSettings.unique(spec));

      module.inject(function, Fault.corrupting());
      for (Executable attempt :
          List.<Executable>of(bootstrap::ensure, () -> bootstrap.issuingRequest(false, Set.of()))) {
        assertThat(assertThrows(CaTokenException.class, attempt))
            .hasMessageContaining("does not verify");
      }
      module.clear(function);

      assertThat(bootstrap.ensure().rootCreated()).as("nothing was left").isTrue();
      assertThat(bootstrap.issuingRequest(false, Set.of())).contains("CERTIFICATE REQUEST");
      module.inject(function, Fault.corrupting());
      assertThat(
              assertThrows(CaTokenException.class, () -> bootstrap.issuingRequest(false, Set.of())))
          .hasMessageContaining("does not verify");
    }
  }

  @ParameterizedTest
  @CsvSource({"EC_P256, C_Sign", "RSA_3072, C_Sign"})
  void whatTheTokenSignsWronglyIsIssuedToNobody(
      CaKeySpec spec, String function, @TempDir Path directory) throws Exception {
    try (FaultyModule module = FaultyModule.create(directory)) {
      CertificateAuthority authority = authority(module, spec);
      module.inject(function, Fault.corrupting().perThousand(300));
      int issued = 0;
      for (int i = 0; i < ATTEMPTS; i++) {
        switch (authority.certify(request)) {
          case Certification.Certified certified -> {
            Certificates.of(certified).verify(authority.chain().getFirst().getPublicKey());
            issued++;
          }
          case Certification.Refused refused ->
              assertThat(refused.reason()).isEqualTo(Certification.Reason.CA_SIGNATURE_WRONG);
        }
      }
      assertThat(module.faults(function)).isPositive();
      assertThat(issued).isEqualTo(ATTEMPTS - (int) module.faults(function));
    }
  }
}
