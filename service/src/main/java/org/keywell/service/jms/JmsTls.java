package org.keywell.service.jms;

import java.io.UncheckedIOException;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.keywell.rest.tls.TlsRules;
import org.keywell.settings.StartRefusedException;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;

/** The TLS of connections to the broker, from an SSL bundle as it is now. Thread-safe. */
final class JmsTls implements Supplier<SSLContext> {

  private volatile SSLContext current;

  /**
   * Reads the bundle, and again whenever its files change.
   *
   * @throws StartRefusedException if it is missing or cannot be used
   */
  JmsTls(String name, SslBundles bundles) {
    try {
      current = context(bundles.getBundle(name));
    } catch (NoSuchSslBundleException e) {
      throw new StartRefusedException(
          "keywell.jms.bundle names '%s', and there is no spring.ssl.bundle.pem.%s or .jks.%s"
              .formatted(name, name, name),
          e);
    } catch (IllegalStateException | UncheckedIOException e) {
      throw new StartRefusedException(
          "keywell.jms.bundle '%s' cannot be used: %s".formatted(name, e.getMessage()), e);
    }
    // What this throws, Spring Boot logs, and the files read before stay in effect.
    bundles.addBundleUpdateHandler(name, changed -> current = context(changed));
  }

  private static SSLContext context(SslBundle bundle) {
    // Java would accept the certificates of public authorities instead.
    if (!TlsRules.hasCertificate(bundle.getStores().getTrustStore())) {
      throw new IllegalStateException("its trust store has no certificate");
    }
    return bundle.createSslContext();
  }

  @Override
  public SSLContext get() {
    return current;
  }
}
