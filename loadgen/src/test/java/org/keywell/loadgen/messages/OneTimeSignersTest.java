package org.keywell.loadgen.messages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.keywell.loadgen.TestChain;

final class OneTimeSignersTest {
  private static final byte[] DIGEST = new byte[32];

  private static List<X509Certificate> signer(TestChain chain) throws Exception {
    return List.of(
        (X509Certificate)
            CertificateFactory.getInstance("X.509")
                .generateCertificate(
                    new ByteArrayInputStream(chain.sign(DIGEST).certificateDer())));
  }

  @Test
  void eachKeyCountsOnce() throws Exception {
    TestChain chain = TestChain.make();
    OneTimeSigners trusted = new OneTimeSigners(chain.root());
    List<X509Certificate> one = signer(chain);

    assertThat(trusted.test(one)).isTrue();
    assertThat(trusted.test(signer(chain))).isTrue();
    assertThat(trusted.test(one)).isFalse();
  }

  @Test
  void aSignerBelowAnotherRootOfTheSameNameIsNotTrusted() throws Exception {
    assertThat(new OneTimeSigners(TestChain.make().root()).test(signer(TestChain.make())))
        .isFalse();
  }

  @Test
  void nobodyIsNotTrusted() throws Exception {
    assertThat(new OneTimeSigners(TestChain.make().root()).test(List.of())).isFalse();
  }
}
