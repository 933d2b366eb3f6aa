package org.keywell.service.kmip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.settings.StartRefusedException;
import org.keywell.testkit.TlsAuthority;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;

@Tag("process")
final class KmipTlsTest {

  @TempDir Path files;

  private final DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry();

  @BeforeEach
  void certify() throws Exception {
    TlsAuthority.create(files, "ca").certify("server", "subjectAltName=IP:127.0.0.1");
  }

  @Test
  void aBundleIsUsedAsItIsNow() {
    bundles.registerBundle("kmip", bundle("server", "ca", SslOptions.NONE));
    KmipTls tls = new KmipTls("kmip", bundles);
    SSLContext first = tls.get();
    assertThat(tls.protocols()).containsExactly("TLSv1.3", "TLSv1.2");

    bundles.updateBundle("kmip", bundle("server", "ca", SslOptions.NONE));
    SSLContext second = tls.get();
    assertThat(second).isNotSameAs(first);
    assertThat(second.getServerSessionContext().getSessionTimeout()).isEqualTo(3_600);

    assertThatThrownBy(() -> bundles.updateBundle("kmip", bundle("server", null, SslOptions.NONE)))
        .hasMessageContaining("trust store");
    assertThat(tls.get()).as("stays").isSameAs(second);
  }

  @Test
  void aBundlesOptionsCount() {
    bundles.registerBundle(
        "kmip",
        bundle("server", "ca", SslOptions.of(Set.of("TLS_AES_128_GCM_SHA256"), Set.of("TLSv1.3"))));
    KmipTls tls = new KmipTls("kmip", bundles);

    assertThat(tls.protocols()).containsExactly("TLSv1.3");
    assertThat(tls.suites()).containsExactly("TLS_AES_128_GCM_SHA256");
  }

  @Test
  void whatCannotBeUsedStopsTheStart() {
    assertRefused("keywell.kmip.bundle names 'kmip'", "spring.ssl.bundle.pem.kmip");
    bundles.registerBundle("kmip", bundle("server", null, SslOptions.NONE));
    assertRefused("keywell.kmip.bundle 'kmip'", "trust store has no certificate");
    bundles.updateBundle("kmip", bundle(null, "ca", SslOptions.NONE));
    assertRefused("keywell.kmip.bundle 'kmip'", "no certificate of this service");
    bundles.updateBundle("kmip", bundle("missing", "ca", SslOptions.NONE));
    assertRefused("keywell.kmip.bundle 'kmip' cannot be used");
    bundles.updateBundle(
        "kmip", bundle("server", "ca", SslOptions.of((Set<String>) null, Set.of("TLSv1.1"))));
    assertRefused("keywell.kmip.bundle 'kmip'", "enabled-protocols", "TLSv1.3, TLSv1.2");
  }

  private void assertRefused(String... parts) {
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> new KmipTls("kmip", bundles))
        .satisfies(refusal -> assertThat(refusal).hasMessageContainingAll(parts));
  }

  private SslBundle bundle(@Nullable String own, @Nullable String trusted, SslOptions options) {
    PemSslStoreDetails key =
        own == null
            ? null
            : PemSslStoreDetails.forCertificate(uri(own + ".pem"))
                .withPrivateKey(uri(own + ".key"));
    PemSslStoreDetails trust =
        trusted == null ? null : PemSslStoreDetails.forCertificate(uri(trusted + ".pem"));
    return SslBundle.of(new PemSslStoreBundle(key, trust), null, options);
  }

  private String uri(String file) {
    return files.resolve(file).toUri().toString();
  }
}
