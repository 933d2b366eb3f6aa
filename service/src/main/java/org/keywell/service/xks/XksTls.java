package org.keywell.service.xks;

import java.io.UncheckedIOException;
import java.security.GeneralSecurityException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.issuance.ExactName;
import org.keywell.listener.TrustedClients;
import org.keywell.rest.tls.TlsRules;
import org.keywell.settings.StartRefusedException;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;

/** The TLS of the XKS port, from an SSL bundle as it is now. Thread-safe. */
final class XksTls implements Supplier<SSLContext> {

  private final @Nullable ExactName client;
  private volatile SSLContext current;

  /**
   * Reads the bundle, and again whenever its files change.
   *
   * @param client subject of the certificate that clients must present; null: they present none
   * @throws StartRefusedException if the bundle is missing or cannot be used
   */
  XksTls(String name, @Nullable ExactName client, SslBundles bundles) {
    this.client = client;
    try {
      current = context(bundles.getBundle(name));
    } catch (NoSuchSslBundleException e) {
      throw new StartRefusedException(
          "keywell.xks.bundle names '%s', and there is no spring.ssl.bundle.pem.%s or .jks.%s"
              .formatted(name, name, name),
          e);
    } catch (IllegalStateException | UncheckedIOException e) {
      throw new StartRefusedException(
          "keywell.xks.bundle '%s' cannot be used: %s".formatted(name, e.getMessage()), e);
    }
    // What this throws, Spring Boot logs, and the files read before stay in effect.
    bundles.addBundleUpdateHandler(name, changed -> current = context(changed));
  }

  private SSLContext context(SslBundle bundle) {
    if (bundle.getStores().getKeyStore() == null) {
      throw new IllegalStateException("it has no certificate of this service");
    }
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(bundle.getManagers().getKeyManagers(), trust(bundle), null);
      context.getServerSessionContext().setSessionTimeout((int) TlsRules.SESSION.toSeconds());
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  private TrustManager @Nullable [] trust(SslBundle bundle) {
    if (client == null) {
      return null;
    }
    // Java would accept the certificates of public authorities instead.
    if (!TlsRules.hasCertificate(bundle.getStores().getTrustStore())) {
      throw new IllegalStateException(
          "keywell.xks.client-subject is set, and its trust store has no certificate");
    }
    X509ExtendedTrustManager authorities =
        Stream.of(bundle.getManagers().getTrustManagers())
            .filter(X509ExtendedTrustManager.class::isInstance)
            .map(X509ExtendedTrustManager.class::cast)
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("it cannot check certificates"));
    return new TrustManager[] {trusted(authorities, client)};
  }

  private static TrustedClients trusted(X509ExtendedTrustManager authorities, ExactName client) {
    return new TrustedClients(
        authorities, subject -> ExactName.of(subject).filter(client::equals).isPresent());
  }

  @Override
  public SSLContext get() {
    return current;
  }
}
