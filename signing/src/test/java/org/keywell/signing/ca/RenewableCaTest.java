package org.keywell.signing.ca;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.ca.CaChain;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.Certification.Certified;
import org.keywell.ca.Certification.Reason;
import org.keywell.ca.Certification.Refused;
import org.keywell.ca.CertificationRequest;
import org.keywell.ca.FakeCertificateAuthority;
import org.keywell.ca.ProfileSettings;
import org.keywell.ca.Subject;
import org.keywell.ca.SubjectKeyPair;
import org.keywell.ca.issuance.BouncyCastleCertificateAuthority;
import org.keywell.ca.issuance.SigningLimits;
import org.keywell.ca.token.CaBootstrap;
import org.keywell.ca.token.CaSettings;
import org.keywell.ca.token.CaToken;
import org.keywell.ca.token.SoftwareCa;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Hsm;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.testkit.ManualTime;

/** The CA's key in a token that is reopened, by C_Finalize and C_Initialize of SoftHSM. */
@Tag("softhsm")
@Timeout(60)
final class RenewableCaTest {

  private static final CertificationRequest REQUEST =
      SubjectKeyPair.ec("secp256r1").request(Subject.ofCommonName("Certified"));
  private static final CaSettings SETTINGS =
      CaSettings.defaults(
          Subject.ofCommonName("Root to be renewed"), Subject.ofCommonName("CA to be renewed"));

  private final SoftHsmToken token = SoftHsmToken.create();
  private final Pkcs11Hsm device = token.open();
  private final ManualTime time = new ManualTime();
  private boolean opens = true;
  private @Nullable CertificateAuthority another;
  private final RenewableCa ca = newCa();

  private RenewableCa newCa() {
    CaBootstrap.in(
            device.certifiedKeys(device.slotId()),
            SETTINGS,
            InstantSource.system(),
            new SecureRandom())
        .ensure();
    Renewable<CertificateAuthority> made =
        new Renewable<>(
            "the CA in hsm",
            this::open,
            device::slotId,
            () -> device.health().loggedIn(),
            device::foreignCall,
            time);
    device.add(made);
    return new RenewableCa(made);
  }

  private CertificateAuthority open(long slotId) {
    if (!opens) {
      throw new IllegalStateException("a test says so");
    }
    if (another != null) {
      return another;
    }
    return new BouncyCastleCertificateAuthority(
        new CaToken(device.certifiedKeys(slotId))
            .issuingKey(SETTINGS.issuingLabel(), InstantSource.system()),
        CertificateProfiles.ofStandard(ProfileSettings.defaults()),
        SigningLimits.defaults(),
        InstantSource.system(),
        new SecureRandom());
  }

  @AfterEach
  void close() {
    device.close();
  }

  private void assertCertifies() {
    assertThat(ca.certify(REQUEST)).isInstanceOf(Certified.class);
    assertThat(ca.prove()).isEmpty();
  }

  @Test
  void certifiesBeforeAndAfterTheTokenIsOpenedAnew() {
    assertCertifies();
    for (int i = 0; i < 3; i++) {
      device.reopen();
      assertCertifies();
    }
  }

  /** A renewal helps against lost sessions only. */
  @Test
  void aCaThatSignsWronglyIsNotOpenedAnew() {
    FakeCertificateAuthority wrong = new FakeCertificateAuthority();
    another = wrong;
    device.reopen();
    time.advance(Duration.ofMinutes(1));
    wrong.refuse(Reason.CA_SIGNATURE_WRONG);
    another = SoftwareCa.authority();

    assertThat(ca.certify(REQUEST)).isInstanceOf(Refused.class);
    assertThat(ca.prove()).isPresent();
    assertThat(wrong.calls()).as("and not asked twice for one certificate").isEqualTo(1);
  }

  /** An import gave the token another one meanwhile. */
  @Test
  void aCertificateNamesTheChainOfTheOpeningThatIssuedIt() {
    CertificateAuthority renewed = SoftwareCa.authority();
    CaChain before = issuedUnder();

    another = renewed;
    assertThat(issuedUnder()).isEqualTo(before);
    device.reopen();

    assertThat(issuedUnder()).isEqualTo(CaChain.of(renewed.chain())).isNotEqualTo(before);
  }

  private CaChain issuedUnder() {
    return ((Certified) ca.certify(REQUEST)).issuedUnder();
  }

  /** Other applications' keys, or what a command left that was killed: labels are not unique. */
  @Test
  void othersKeysOfOneLabelAreInNobodysWay() {
    for (int i = 0; i < 2; i++) {
      var _ = device.tokenAesKeys().generate("others");
    }
    assertCertifies();
    assertThat(ca.refreshed()).isSameAs(ca);
    device.reopen();
    assertCertifies();
  }

  @Test
  void aCaThatCannotBeOpenedAnewIsNotAskedAndTriedAgain() {
    opens = false;
    device.reopen();
    assertThat(ca.certify(REQUEST)).isInstanceOf(Refused.class);
    assertThat(ca.prove()).as("too soon").isPresent();
    assertThat(ca.isValid()).as("its certificates are").isTrue();
    assertThat(ca.chain()).isNotEmpty();

    opens = true;
    assertThat(ca.prove()).as("too soon").isPresent();
    time.advance(Duration.ofSeconds(30));
    device.lose(device.epoch(), "a test says so");
    assertThat(ca.prove()).as("the PIN is not tried while nobody is logged in").isPresent();
    opens = false;
    device.reopen();
    opens = true;
    time.advance(Duration.ofSeconds(30));
    assertThat(ca.prove()).isEmpty();
    assertCertifies();
  }
}
