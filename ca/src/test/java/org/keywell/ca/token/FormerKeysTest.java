package org.keywell.ca.token;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.KeyPair;
import java.security.KeyStore;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.keywell.ca.issuance.DistinguishedNames;
import org.keywell.ca.issuance.IssuingKey;

/** Keys and certificates that the key store of SunPKCS11 has put into a token. */
@Tag("softhsm")
final class FormerKeysTest {
  private static final Duration YEAR = Duration.ofDays(365);

  private final SoftHsm token = SoftHsm.create();
  private final Instant now = Instant.now();

  private CaKey make(CaKeySpec spec, String label) {
    Provider provider = SunPkcs11.generating(token, label);
    KeyPair pair = spec.generate(provider);
    return new CaKey(pair.getPrivate(), pair.getPublic(), provider);
  }

  private static void store(String label, CaKey key, X509Certificate... chain) throws Exception {
    KeyStore keyStore = KeyStore.getInstance("PKCS11", key.provider());
    keyStore.load(null, null);
    keyStore.setKeyEntry(label, key.privateKey(), null, chain);
  }

  @ParameterizedTest
  @EnumSource
  void areFoundAndFollowed(CaKeySpec spec) throws Exception {
    CaSettings settings = TestSettings.unique(spec);
    CaCertificates certificates = new CaCertificates(new SecureRandom(), settings.lists());
    CaKey rootKey = make(spec, settings.rootLabel());
    X509Certificate root = certificates.root(rootKey, settings.rootName(), now, YEAR);
    store(settings.rootLabel(), rootKey, root);
    CaKey issuingKey = make(spec, settings.issuingLabel());
    X509Certificate issuing =
        certificates.issuing(
            issuingKey, DistinguishedNames.of(settings.issuingName()), rootKey, root, now, YEAR);
    store(settings.issuingLabel(), issuingKey, issuing, root);

    CaBootstrap bootstrap = TestSettings.bootstrap(token, settings);

    assertThat(bootstrap.ensure())
        .isEqualTo(new BootstrapReport(false, false, List.of(issuing, root)));
    IssuingKey found =
        new CaToken(token.keys()).issuingKey(settings.issuingLabel(), InstantSource.system());
    X509Certificate signed =
        new CaCertificates(new SecureRandom(), Optional.empty())
            .root(
                new CaKey(found.privateKey(), issuing.getPublicKey(), found.provider()),
                settings.issuingName(),
                now,
                YEAR);
    signed.verify(issuing.getPublicKey());
    assertThat(RootKey.all(token.keys(), settings))
        .extracting(RootKey::certificate)
        .containsExactly(root);
    Renewal renewal = bootstrap.renew(2, bootstrap, Set.of(settings.issuingLabel()));
    renewal.certificate().verify(root.getPublicKey());
  }
}
