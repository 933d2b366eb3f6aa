package org.keywell.ca.token;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.keywell.ca.revocation.CrlShard;
import org.keywell.ca.revocation.ListAnswer;
import org.keywell.ca.revocation.RevocationList;

@Tag("softhsm")
final class RootKeyTest {

  private static List<RootKey> find(CaSettings settings) {
    return RootKey.all(SoftHsm.SHARED.keys(), settings);
  }

  @Test
  void theRootSignsTheListThatTheIssuingCaNames() throws Exception {
    CaSettings settings = TestSettings.unique(CaKeySpec.EC_P256);
    List<X509Certificate> chain = TestSettings.bootstrap(settings).ensure().chain();
    RootKey root = find(settings).getFirst();
    CrlShard shard = CrlShard.ofAuthorities(CrlShard.issuer(chain.getLast()));
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);

    ListAnswer answer =
        root.sign(
            new RevocationList(
                shard,
                List.of(shard.within(TestSettings.LISTS)),
                BigInteger.ONE,
                now,
                now.plusSeconds(60),
                List.of()));

    assertThat(root.certificate()).isEqualTo(chain.getLast());
    assertThat(CrlShard.namedBy(chain.getFirst())).contains(shard.within(TestSettings.LISTS));
    X509CRL crl =
        (X509CRL)
            CertificateFactory.getInstance("X.509")
                .generateCRL(new ByteArrayInputStream(((ListAnswer.Signed) answer).crl()));
    crl.verify(chain.getLast().getPublicKey());
    assertThat(crl.getIssuerX500Principal()).isEqualTo(chain.getFirst().getIssuerX500Principal());
  }

  @Test
  void itIsNotThereForAnotherRoot() {
    CaSettings one = TestSettings.unique(CaKeySpec.EC_P256);
    CaSettings other = TestSettings.unique(CaKeySpec.EC_P256);
    assertThat(find(one)).as("before the bootstrap").isEmpty();
    var _ = TestSettings.bootstrap(one).ensure();
    var _ = TestSettings.bootstrap(other).ensure();

    CaSettings mixed =
        new CaSettings(
            other.rootLabel(),
            one.issuingLabel(),
            one.rootName(),
            one.issuingName(),
            one.rootKey(),
            one.issuingKey(),
            one.rootValidity(),
            one.issuingValidity(),
            one.lists());
    assertThat(find(mixed)).isEmpty();
  }
}
