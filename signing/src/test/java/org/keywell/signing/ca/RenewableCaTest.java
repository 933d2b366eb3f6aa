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
import org.keywell.ca.token.TokenAddress;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.KeySpec;
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

  /** The JDK's cleaner of SunPKCS11 looks every 2 s. */
  private static final Duration CLEANED = Duration.ofMillis(4500);

  private final SoftHsmToken token = SoftHsmToken.create();
  private final Pkcs11Hsm device = token.open();
  private final ManualTime time = new ManualTime();
  private boolean opens = true;
  private @Nullable CertificateAuthority another;
  private final RenewableCa ca = newCa();

  private RenewableCa newCa() {
    CaBootstrap.open(
            address(device.slotId()),
            token.pinCharacters(),
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

  private TokenAddress address(long slotId) {
    return new TokenAddress(token.config().module(), slotId, null);
  }

  private CertificateAuthority open(long slotId) {
    if (!opens) {
      throw new IllegalStateException("a test says so");
    }
    if (another != null) {
      return another;
    }
    return new BouncyCastleCertificateAuthority(
        CaToken.open(address(slotId), token.pinCharacters())
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

  /** Each renewal leaves an instance of SunPKCS11 behind, and helps against lost sessions only. */
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

  /**
   * The JDK closes sessions and destroys keys that are garbage, by numbers that are others' now.
   */
  @Test
  void whatTheRetiredProviderHadIsNotCleanedUpAtTheExpenseOfNewSessions() throws Exception {
    device.reopen();
    var key = device.generate(KeySpec.EC_P256);
    long epoch = device.epoch();

    long end = System.nanoTime() + CLEANED.toNanos();
    while (System.nanoTime() - end < 0) {
      System.gc();
      Thread.sleep(100);
    }

    for (int session = 0; session < token.config().maxSessions(); session++) {
      device.probe();
    }
    assertThat(device.epoch()).isEqualTo(epoch);
    assertThat(device.health().lastFailure()).isEmpty();
    assertThat(device.destroy(key.privateKey())).isEqualTo(Destruction.DONE);
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
