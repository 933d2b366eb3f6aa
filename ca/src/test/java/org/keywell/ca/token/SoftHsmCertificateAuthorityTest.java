package org.keywell.ca.token;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.CertificateAuthorityContract;
import org.keywell.ca.Certificates;
import org.keywell.ca.Certification;
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
    return authority(spec, SigningLimits.defaults());
  }

  private static CertificateAuthority authority(CaKeySpec spec, SigningLimits limits) {
    CaSettings settings = TestSettings.unique(spec);
    TestSettings.bootstrap(settings).ensure();
    return new BouncyCastleCertificateAuthority(
        new CaToken(SoftHsm.SHARED.keys())
            .issuingKey(settings.issuingLabel(), InstantSource.system()),
        SampleProfiles.all(),
        limits,
        InstantSource.system(),
        new SecureRandom());
  }

  @Override
  protected CertificateAuthority authority() {
    return authority;
  }

  @Test
  void twelveThreadsSignAtOnce() throws Exception {
    CertificateAuthority wide = authority(CaKeySpec.EC_P256, SigningLimits.of(12));
    SubjectKeyPair pair = SubjectKeyPair.ec("secp256r1");
    Callable<Certification> certify =
        () -> wide.certify(pair.request(Subject.ofCommonName("Alice")));
    try (ExecutorService threads = Executors.newFixedThreadPool(12)) {
      for (Future<Certification> answer : threads.invokeAll(Collections.nCopies(240, certify))) {
        Certificates.of(answer.get()).verify(wide.chain().getFirst().getPublicKey());
      }
    }
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
