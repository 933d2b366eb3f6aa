package org.keywell.ca.issuance;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.CertificateAuthorityContract;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.Certificates;
import org.keywell.ca.OpenSsl;
import org.keywell.ca.ProfileSettings;
import org.keywell.ca.Subject;
import org.keywell.ca.SubjectKeyPair;
import org.keywell.ca.token.CaKeySpec;
import org.keywell.ca.token.SoftwareCa;

class SoftwareCertificateAuthorityTest extends CertificateAuthorityContract {
  private final CertificateAuthority authority = SoftwareCa.authority();

  @TempDir private Path directory;

  @Override
  protected CertificateAuthority authority() {
    return authority;
  }

  @ParameterizedTest
  @EnumSource
  void opensslAcceptsTheChainStrictly(CaKeySpec spec) {
    CertificateAuthority ofSpec =
        new BouncyCastleCertificateAuthority(
            SoftwareCa.issuingKey(spec),
            CertificateProfiles.ofStandard(ProfileSettings.defaults()),
            SigningLimits.defaults(),
            InstantSource.system(),
            new SecureRandom());
    var leaf =
        Certificates.of(
            ofSpec.certify(SubjectKeyPair.rsa(2048).request(Subject.ofCommonName("Eve"))));
    new OpenSsl(directory).verify(leaf, ofSpec.chain());
  }
}
