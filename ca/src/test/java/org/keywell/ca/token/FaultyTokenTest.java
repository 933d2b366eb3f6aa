package org.keywell.ca.token;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.Certification;
import org.keywell.ca.CertificationRequest;
import org.keywell.ca.ProfileSettings;
import org.keywell.ca.Subject;
import org.keywell.ca.SubjectKeyPair;
import org.keywell.ca.issuance.BouncyCastleCertificateAuthority;
import org.keywell.ca.issuance.SigningLimits;
import org.keywell.testkit.Fault;
import org.keywell.testkit.FaultyModule;

/** The CA, by SunPKCS11, on a token that fails for a while. */
@Tag("softhsm")
@Timeout(60)
final class FaultyTokenTest {
  private static final long CKR_DEVICE_ERROR = 0x30;
  private static final long CKR_DEVICE_REMOVED = 0x32;
  private static final int MORE_THAN_SIGNERS = 20;

  private final CertificationRequest request =
      SubjectKeyPair.ec("secp256r1").request(Subject.ofCommonName("Dave"));

  private static CertificateAuthority authority(FaultyModule module) {
    SoftHsm token = SoftHsm.behind(module.path());
    CaSettings settings = TestSettings.unique(CaKeySpec.EC_P256);
    CaBootstrap.open(
            token.address(), token.pin(), settings, InstantSource.system(), new SecureRandom())
        .ensure();
    return new BouncyCastleCertificateAuthority(
        CaToken.open(token.address(), token.pin())
            .issuingKey(settings.issuingLabel(), InstantSource.system()),
        CertificateProfiles.ofStandard(ProfileSettings.defaults()),
        SigningLimits.defaults(),
        InstantSource.system(),
        new SecureRandom());
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
}
