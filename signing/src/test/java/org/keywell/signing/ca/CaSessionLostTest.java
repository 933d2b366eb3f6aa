package org.keywell.signing.ca;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.Certification;
import org.keywell.ca.Certification.Certified;
import org.keywell.ca.Certification.Refused;
import org.keywell.ca.CertificationRequest;
import org.keywell.ca.ProfileSettings;
import org.keywell.ca.Subject;
import org.keywell.ca.SubjectKeyPair;
import org.keywell.ca.issuance.BouncyCastleCertificateAuthority;
import org.keywell.ca.issuance.SigningLimits;
import org.keywell.ca.token.CaBootstrap;
import org.keywell.ca.token.CaSettings;
import org.keywell.ca.token.CaToken;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Hsm;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.testkit.Fault;
import org.keywell.testkit.FaultyModule;
import org.keywell.testkit.ManualTime;

/** The CA's key in a token of which single sessions are lost: those that sign for the CA. */
@Tag("softhsm")
@Timeout(120)
final class CaSessionLostTest {

  private static final CertificationRequest REQUEST =
      SubjectKeyPair.ec("secp256r1").request(Subject.ofCommonName("Certified"));
  private static final CaSettings SETTINGS =
      CaSettings.defaults(
          Subject.ofCommonName("Root of lost sessions"),
          Subject.ofCommonName("CA of lost sessions"));

  private static final long CKR_DEVICE_ERROR = 0x30;

  private final FaultyModule module;
  private final SoftHsmToken token;
  private final Pkcs11Hsm device;
  private final ManualTime time = new ManualTime();
  private final RenewableCa ca;

  CaSessionLostTest(@TempDir Path directory) {
    module = FaultyModule.create(directory);
    token = SoftHsmToken.create(module.path());
    device = token.open();
    CaBootstrap.in(
            device.certifiedKeys(device.slotId()),
            SETTINGS,
            InstantSource.system(),
            new SecureRandom())
        .ensure();
    Renewable<CertificateAuthority> opened =
        new Renewable<>(
            "the CA in hsm",
            this::open,
            device::slotId,
            this::isLoggedIn,
            device::foreignCall,
            time);
    device.add(opened);
    ca = new RenewableCa(opened);
  }

  @AfterEach
  void close() {
    module.close();
    device.close();
  }

  private boolean isLoggedIn() {
    try {
      device.probe();
      return true;
    } catch (HsmException e) {
      return false;
    }
  }

  private CertificateAuthority open(long slotId) {
    return new BouncyCastleCertificateAuthority(
        new CaToken(device.certifiedKeys(slotId))
            .issuingKey(SETTINGS.issuingLabel(), InstantSource.system()),
        CertificateProfiles.ofStandard(ProfileSettings.defaults()),
        SigningLimits.defaults(),
        InstantSource.system(),
        new SecureRandom());
  }

  private void assertCertifies(int times) {
    for (int i = 0; i < times; i++) {
      assertThat(ca.certify(REQUEST)).isInstanceOf(Certified.class);
    }
  }

  @Test
  void aSessionThatIsLostFailsNoRequest() {
    assertCertifies(2);
    module.inject("C_SignInit", Fault.forgettingItsSession().times(1));

    assertCertifies(10);

    assertThat(module.faults("C_SignInit")).isEqualTo(1);
  }

  @Test
  void aLostSessionIsDrawnNoMoreOnceTheCaIsOpenedAnew() {
    module.inject("C_Sign", Fault.forgettingItsSession().times(1));
    assertCertifies(1);
    long before = module.calls("C_SignInit");

    assertCertifies(10);

    assertThat(module.calls("C_SignInit") - before).as("none fails").isEqualTo(10);
  }

  /** It cannot be reopened at once. */
  @Test
  void aSessionInWhichAnOperationStaysActiveIsGivenUpOnceTheTokenIsReadAgain() {
    assertCertifies(1);
    module.inject("C_FindObjects", Fault.returning(CKR_DEVICE_ERROR));
    module.inject("C_Sign", Fault.returning(CKR_DEVICE_ERROR).keepingTheOperation().times(1));
    Certification duringTheFault = ca.certify(REQUEST);
    assertThat(module.faults("C_FindObjects")).as("%s", duringTheFault).isPositive();
    module.clear("C_FindObjects");
    time.advance(Duration.ofSeconds(2));

    assertCertifies(10);
  }

  /** Nobody else may log in: the sessions of before could be taken for logged in. */
  @Test
  void whereTheLoginIsLostTheCaWaitsForItsDevice() {
    module.failOver();
    time.advance(Duration.ofSeconds(30));
    long before = module.calls("C_Login");

    assertThat(ca.certify(REQUEST)).isInstanceOf(Refused.class);

    assertThat(module.calls("C_Login")).isEqualTo(before);
    assertThat(device.health().loggedIn()).as("the device has noticed").isFalse();
    device.reopen();
    assertCertifies(2);
  }
}
