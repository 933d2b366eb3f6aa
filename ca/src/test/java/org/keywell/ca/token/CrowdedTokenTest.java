package org.keywell.ca.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.Certificates;
import org.keywell.ca.ProfileSettings;
import org.keywell.ca.Subject;
import org.keywell.ca.SubjectKeyPair;
import org.keywell.ca.issuance.BouncyCastleCertificateAuthority;
import org.keywell.ca.issuance.IssuingKey;
import org.keywell.ca.issuance.SigningLimits;

/** A token that others use, too: what they keep in it, and how, is none of the CA's business. */
@Tag("softhsm")
final class CrowdedTokenTest {
  private static final byte[] GARBAGE = "not a certificate".getBytes(StandardCharsets.US_ASCII);

  private final SoftHsm token = SoftHsm.create();
  private final TokenObjects objects = token.objects();
  private final CaSettings settings = TestSettings.unique(CaKeySpec.EC_P256);
  private final CaBootstrap bootstrap = TestSettings.bootstrap(token, settings);

  /** Each twice, under one label, which may be the CA's. */
  private void crowd(String label) throws Exception {
    byte[] foreign = SoftwareCa.issuingKey(CaKeySpec.RSA_3072).certificate().getEncoded();
    for (int i = 0; i < 2; i++) {
      objects.createAesKey(label);
      objects.createGenericSecret(label);
      objects.createCertificate(label, new byte[] {1}, foreign);
      objects.createCertificate(label, new byte[0], GARBAGE);
      for (CaKeySpec spec : List.of(CaKeySpec.EC_P256, CaKeySpec.RSA_3072)) {
        SunPkcs11.generateInToken(token, spec, label);
      }
    }
  }

  private CertificateAuthority open() {
    IssuingKey key =
        new CaToken(token.keys()).issuingKey(settings.issuingLabel(), InstantSource.system());
    return new BouncyCastleCertificateAuthority(
        key,
        CertificateProfiles.ofStandard(ProfileSettings.defaults()),
        SigningLimits.defaults(),
        InstantSource.system(),
        new SecureRandom());
  }

  private void assertCertifies() throws Exception {
    CertificateAuthority ca = open();
    X509Certificate leaf =
        Certificates.of(
            ca.certify(SubjectKeyPair.ec("secp256r1").request(Subject.ofCommonName("Alice"))));
    leaf.verify(ca.chain().getFirst().getPublicKey());
    assertThat(ca.chain()).hasSize(2);
  }

  /** Why the CA does not use it: each of these is enough. */
  @Test
  void theJdksKeyStoreDoesNotReadSuchTokens() throws Exception {
    objects.createCertificate("others", new byte[0], GARBAGE);
    assertThatExceptionOfType(CertificateException.class).isThrownBy(this::loadByTheJdk);
    objects.destroyCertificate("others");
    loadByTheJdk();
    objects.createAesKey("others");
    objects.createAesKey("others");
    assertThatExceptionOfType(IOException.class).isThrownBy(this::loadByTheJdk);
  }

  private void loadByTheJdk() throws Exception {
    KeyStore.getInstance("PKCS11", SunPkcs11.using(token)).load(null, null);
  }

  @Test
  void theCaIsMadeAndCertifies() throws Exception {
    crowd("others");
    crowd(settings.rootLabel());
    crowd(settings.issuingLabel());

    assertThat(bootstrap.ensure().issuingCreated()).isTrue();

    assertCertifies();
    assertThat(bootstrap.ensureSigningKey("audit")).isTrue();
    assertThat(TokenKey.open(token.keys(), "audit", CaKeySpec.EC_P256, "bootstrap").sign(GARBAGE))
        .isNotEmpty();
  }

  @Test
  void theCaIsFoundAgainAndRenewed() throws Exception {
    bootstrap.ensure();
    crowd("others");
    crowd(settings.rootLabel());
    crowd(settings.issuingLabel());

    assertThat(bootstrap.ensure().issuingCreated()).isFalse();
    assertCertifies();
    assertThat(bootstrap.renew(2, bootstrap, Set.of(settings.issuingLabel())).created()).isTrue();
    assertThat(bootstrap.issuingRequest(true, Set.of(settings.issuingLabel() + "~2")))
        .contains("CERTIFICATE REQUEST");
    assertCertifies();
    assertThat(RootKey.all(token.keys(), settings)).hasSize(1);
  }

  @Test
  void othersUnderItsIdAreNotTakenForIt() throws Exception {
    bootstrap.ensure();
    String label = settings.issuingLabel();
    byte[] id = label.getBytes(StandardCharsets.US_ASCII);
    objects.createCertificate(label, id, GARBAGE);
    objects.createCertificate(
        label, id, SoftwareCa.issuingKey(CaKeySpec.EC_P256).certificate().getEncoded());
    objects.createCertificate(
        "others", id, SoftwareCa.issuingKey(CaKeySpec.EC_P256).certificate().getEncoded());

    assertCertifies();
    assertThat(bootstrap.ensure().issuingCreated()).isFalse();
  }

  /** Another key would be made if it were taken for missing. */
  @ParameterizedTest
  @ValueSource(ints = {17, 9000})
  void aKeyWhoseCertificateCannotBeReadIsNotMissing(int bytes) {
    bootstrap.ensure();
    String label = settings.issuingLabel();
    objects.destroyCertificate(label);
    objects.createCertificate(label, label.getBytes(StandardCharsets.US_ASCII), new byte[bytes]);

    assertThatExceptionOfType(CaTokenException.class)
        .isThrownBy(bootstrap::ensure)
        .withMessageContaining(label)
        .satisfies(e -> assertThat(e.reason()).isEqualTo(CaTokenException.Reason.FAILED));
  }
}
