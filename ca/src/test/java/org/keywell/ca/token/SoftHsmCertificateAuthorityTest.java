package org.keywell.ca.token;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.CertificateAuthorityContract;
import org.keywell.ca.Certificates;
import org.keywell.ca.OpenSsl;
import org.keywell.ca.SampleProfiles;
import org.keywell.ca.Subject;
import org.keywell.ca.SubjectKeyPair;
import org.keywell.ca.issuance.BouncyCastleCertificateAuthority;
import org.keywell.ca.issuance.SigningLimits;

@Tag("softhsm")
class SoftHsmCertificateAuthorityTest extends CertificateAuthorityContract {
  private static CertificateAuthority authority;

  @TempDir private Path directory;

  @BeforeAll
  static void bootstrap() {
    authority = authority(CaKeySpec.EC_P256);
  }

  private static CertificateAuthority authority(CaKeySpec spec) {
    CaSettings settings = TestSettings.unique(spec);
    TestSettings.bootstrap(settings).ensure();
    return new BouncyCastleCertificateAuthority(
        CaToken.open(SoftHsm.SHARED.address(), SoftHsm.SHARED.pin())
            .issuingKey(settings.issuingLabel(), InstantSource.system()),
        SampleProfiles.all(),
        SigningLimits.defaults(),
        InstantSource.system(),
        new SecureRandom());
  }

  @Override
  protected CertificateAuthority authority() {
    return authority;
  }

  @ParameterizedTest
  @EnumSource
  void opensslAcceptsTheChainStrictly(CaKeySpec spec) {
    CertificateAuthority ofSpec = authority(spec);
    var leaf =
        Certificates.of(
            ofSpec.certify(
                SubjectKeyPair.ec("secp384r1").request(Subject.ofCommonName("Åsa Öberg"))));
    new OpenSsl(directory).verify(leaf, ofSpec.chain());
  }
}
