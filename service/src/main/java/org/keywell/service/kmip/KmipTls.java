package org.keywell.service.kmip;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.keywell.rest.tls.TlsRules;
import org.keywell.settings.StartRefusedException;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;

/** The TLS of the KMIP port, from an SSL bundle as it is now. Thread-safe. */
final class KmipTls implements Supplier<SSLContext> {

  private static final String SETTING = "keywell.kmip.bundle";

  private final List<String> protocols;
  private final List<String> suites;
  private volatile SSLContext current;

  /**
   * Reads the bundle, and again whenever its files change.
   *
   * @throws StartRefusedException if it is missing or cannot be used
   */
  KmipTls(String name, SslBundles bundles) {
    try {
      SslBundle bundle = bundles.getBundle(name);
      current = context(bundle);
      protocols =
          allowed(
              "enabled-protocols", bundle.getOptions().getEnabledProtocols(), TlsRules.VERSIONS);
      suites = allowed("ciphers", bundle.getOptions().getCiphers(), TlsRules.CIPHERS);
    } catch (NoSuchSslBundleException e) {
      throw new StartRefusedException(
          "%s names '%s', and there is no spring.ssl.bundle.pem.%s or .jks.%s"
              .formatted(SETTING, name, name, name),
          e);
    } catch (IllegalStateException | UncheckedIOException e) {
      throw new StartRefusedException(
          "%s '%s' cannot be used: %s".formatted(SETTING, name, e.getMessage()), e);
    }
    // What this throws, Spring Boot logs, and the files read before stay in effect.
    bundles.addBundleUpdateHandler(name, changed -> current = context(changed));
  }

  private static SSLContext context(SslBundle bundle) {
    if (bundle.getStores().getKeyStore() == null) {
      throw new IllegalStateException("it has no certificate of this service");
    }
    // Java would accept the certificates of public authorities instead.
    if (!TlsRules.hasCertificate(bundle.getStores().getTrustStore())) {
      throw new IllegalStateException("its trust store has no certificate");
    }
    SSLContext context = bundle.createSslContext();
    context.getServerSessionContext().setSessionTimeout((int) TlsRules.SESSION.toSeconds());
    return context;
  }

  private static List<String> allowed(
      String option, String @Nullable [] named, List<String> allowed) {
    List<String> all = named == null ? allowed : List.of(named);
    if (!allowed.containsAll(all)) {
      throw new IllegalStateException(
          "its %s are not of %s".formatted(option, String.join(", ", allowed)));
    }
    return all;
  }

  List<String> protocols() {
    return protocols;
  }

  List<String> suites() {
    return suites;
  }

  @Override
  public SSLContext get() {
    return current;
  }
}
