package org.keywell.service.jms;

import javax.net.ssl.SSLContext;
import org.keywell.rest.tls.TlsRules;
import org.springframework.boot.ssl.SslBundle;

/** The TLS of connections to the broker. */
final class JmsTls {

  private JmsTls() {}

  static SSLContext context(SslBundle bundle) {
    // Java would accept the certificates of public authorities instead.
    if (!TlsRules.hasCertificate(bundle.getStores().getTrustStore())) {
      throw new IllegalStateException("its trust store has no certificate");
    }
    return bundle.createSslContext();
  }
}
