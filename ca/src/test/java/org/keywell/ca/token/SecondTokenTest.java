package org.keywell.ca.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.Certificates;
import org.keywell.ca.OpenSsl;
import org.keywell.ca.ProfileSettings;
import org.keywell.ca.Subject;
import org.keywell.ca.SubjectKeyPair;
import org.keywell.ca.issuance.BouncyCastleCertificateAuthority;
import org.keywell.ca.issuance.SigningLimits;

/** A CA's name in two tokens, with a key in each. */
@Tag("softhsm")
class SecondTokenTest {
  private static final String SUBJECT_KEY_IDENTIFIER = "2.5.29.14";
  private static final String AUTHORITY_KEY_IDENTIFIER = "2.5.29.35";

  private final CaSettings settings = TestSettings.unique(CaKeySpec.EC_P256);
  private final CaBootstrap first = TestSettings.bootstrap(settings);
  private final CaBootstrap second = TestSettings.bootstrap(SoftHsm.SECOND, settings);
  @TempDir Path directory;

  private CertificateAuthority authority(SoftHsm token) {
    return new BouncyCastleCertificateAuthority(
        new CaToken(token.keys()).issuingKey(settings.issuingLabel(), InstantSource.system()),
        CertificateProfiles.ofStandard(ProfileSettings.defaults()),
        SigningLimits.defaults(),
        InstantSource.system(),
        new SecureRandom());
  }

  private void assertNotBootstrapped() {
    assertThatExceptionOfType(CaTokenException.class)
        .isThrownBy(() -> second.ensureBeside(first))
        .withMessageContaining("root is elsewhere")
        .satisfies(e -> assertThat(e.reason()).isEqualTo(CaTokenException.Reason.NOT_BOOTSTRAPPED));
    assertThat(second.chain()).isEmpty();
  }

  @Test
  void getsAKeyOfItsOwnUnderTheFirstOnesRootAndName() {
    List<X509Certificate> one = first.ensure().chain();

    BootstrapReport report = second.ensureBeside(first);

    assertThat(report.rootCreated()).isFalse();
    assertThat(report.issuingCreated()).isTrue();
    List<X509Certificate> other = report.chain();
    assertThat(second.chain()).contains(other);
    assertThat(other.getLast()).isEqualTo(one.getLast());
    assertThat(other.getFirst().getSubjectX500Principal().getEncoded())
        .isEqualTo(one.getFirst().getSubjectX500Principal().getEncoded());
    assertThat(other.getFirst().getPublicKey()).isNotEqualTo(one.getFirst().getPublicKey());
    assertThat(other.getFirst().getExtensionValue(SUBJECT_KEY_IDENTIFIER))
        .isNotEqualTo(one.getFirst().getExtensionValue(SUBJECT_KEY_IDENTIFIER));
    assertThat(other.getFirst().getExtensionValue(AUTHORITY_KEY_IDENTIFIER))
        .isEqualTo(one.getFirst().getExtensionValue(AUTHORITY_KEY_IDENTIFIER));
  }

  @Test
  void theRootsKeyIsInTheFirstTokenOnly() {
    first.ensure();
    second.ensureBeside(first);
    assertThat(SoftHsm.SHARED.objects().privateKey(settings.rootLabel())).isNotZero();
    CaToken token = new CaToken(SoftHsm.SECOND.keys());
    assertThatExceptionOfType(CaTokenException.class)
        .isThrownBy(() -> token.issuingKey(settings.rootLabel(), InstantSource.system()))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(CaTokenException.Reason.NOT_BOOTSTRAPPED));
  }

  @Test
  void runningItAgainChangesNothing() {
    first.ensure();
    BootstrapReport made = second.ensureBeside(first);
    assertThat(TestSettings.bootstrap(SoftHsm.SECOND, settings).ensureBeside(first))
        .isEqualTo(new BootstrapReport(false, false, made.chain()));
  }

  /** A verifier that knows the root alone takes certificates of both, whichever came first. */
  @Test
  void bothIssueAndOpensslAcceptsBothUnderTheRoot() {
    first.ensure();
    second.ensureBeside(first);
    SubjectKeyPair pair = SubjectKeyPair.ec("secp256r1");
    CertificateAuthority one = authority(SoftHsm.SHARED);
    CertificateAuthority other = authority(SoftHsm.SECOND);
    X509Certificate ofOne =
        Certificates.of(one.certify(pair.request(Subject.ofCommonName("Alice"))));
    X509Certificate ofOther =
        Certificates.of(other.certify(pair.request(Subject.ofCommonName("Bob"))));
    OpenSsl openssl = new OpenSsl(directory);

    openssl.verify(ofOne, one.chain());
    openssl.verify(ofOther, other.chain());
    // With both issuing certificates at hand, the key identifier tells which is meant.
    for (List<X509Certificate> order :
        List.of(
            List.of(one.chain().getFirst(), other.chain().getFirst(), one.chain().getLast()),
            List.of(other.chain().getFirst(), one.chain().getFirst(), one.chain().getLast()))) {
      openssl.verify(ofOne, order);
      openssl.verify(ofOther, order);
    }
    assertThat(ofOne.getIssuerX500Principal()).isEqualTo(ofOther.getIssuerX500Principal());
    assertThat(ofOne.getExtensionValue(AUTHORITY_KEY_IDENTIFIER))
        .isNotEqualTo(ofOther.getExtensionValue(AUTHORITY_KEY_IDENTIFIER));
  }

  @Test
  void isNotMadeWhileTheRootIsElsewhere() {
    assertNotBootstrapped();
    first.issuingRequest(false, Set.of());
    assertNotBootstrapped();
  }

  @Test
  void itsKeyMayWaitForItsOwnAnswer() {
    first.ensure();
    second.issuingRequest(false, Set.of());
    assertThatExceptionOfType(CaTokenException.class)
        .isThrownBy(() -> second.ensureBeside(first))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(CaTokenException.Reason.AWAITING_CHAIN));
  }
}
