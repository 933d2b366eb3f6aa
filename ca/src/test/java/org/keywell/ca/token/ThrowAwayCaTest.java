package org.keywell.ca.token;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.Certificates;
import org.keywell.ca.ProfileSettings;
import org.keywell.ca.Subject;
import org.keywell.ca.SubjectKeyPair;
import org.keywell.ca.issuance.BouncyCastleCertificateAuthority;
import org.keywell.ca.issuance.IssuingKey;
import org.keywell.ca.issuance.SigningLimits;

@Tag("softhsm")
final class ThrowAwayCaTest {
  private static final Subject NAME = Subject.ofCommonName("Keywell experiment");

  private static Set<String> labelsInTheToken() throws Exception {
    KeyStore token = KeyStore.getInstance("PKCS11", SoftHsm.SHARED.keys());
    token.load(null, null);
    return new TreeSet<>(Collections.list(token.aliases()));
  }

  @Test
  void itCertifiesAndLeavesNothingInTheToken() throws Exception {
    Set<String> before = labelsInTheToken();

    IssuingKey key =
        ThrowAwayCa.make(
            SoftHsm.SHARED.keys(), CaKeySpec.EC_P256, NAME, Instant.now(), new SecureRandom());
    CertificateAuthority ca =
        new BouncyCastleCertificateAuthority(
            key,
            CertificateProfiles.ofStandard(ProfileSettings.defaults()),
            SigningLimits.defaults(),
            InstantSource.system(),
            new SecureRandom());
    X509Certificate leaf =
        Certificates.of(
            ca.certify(SubjectKeyPair.ec("secp256r1").request(Subject.ofCommonName("a"))));

    leaf.verify(key.certificate().getPublicKey());
    assertThat(ca.chain()).hasSize(1);
    assertThat(key.privateKey().getEncoded()).isNull();
    assertThat(labelsInTheToken()).isEqualTo(before);
  }

  @Test
  void inMemoryItAsksNoToken() throws Exception {
    Set<String> before = labelsInTheToken();

    IssuingKey key = ThrowAwayCa.inMemory(NAME, Instant.now(), new SecureRandom());

    key.certificate().verify(key.certificate().getPublicKey());
    assertThat(key.provider().getName()).isEqualTo("SunEC");
    assertThat(labelsInTheToken()).isEqualTo(before);
  }
}
