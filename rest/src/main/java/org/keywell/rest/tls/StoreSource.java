package org.keywell.rest.tls;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.web.server.WebServerSslBundle;

/**
 * The source of a port's key and trusted authorities.
 *
 * @param bundle name of the Spring SSL bundle; null: the port's own settings
 */
public record StoreSource(ServerTls port, @Nullable String bundle) {

  /**
   * Reads the stores.
   *
   * @throws IllegalStateException or {@link java.io.UncheckedIOException} if they cannot be read
   */
  public SslBundle load(SslBundles bundles) {
    return bundle == null ? WebServerSslBundle.get(port.ssl(), bundles) : bundles.getBundle(bundle);
  }

  /** Returns the settings, one of which names the trust store. */
  public List<String> trustSettings() {
    return bundle == null
        ? List.of(port.prefix() + ".ssl.trust-store", port.prefix() + ".ssl.trust-certificate")
        : List.of(
            "spring.ssl.bundle.pem." + bundle + ".truststore.certificate",
            "spring.ssl.bundle.jks." + bundle + ".truststore.location");
  }

  /** Returns the setting of an option such as {@code ciphers}. */
  String optionSetting(String option) {
    return bundle == null
        ? port.prefix() + ".ssl." + option
        : "spring.ssl.bundle.pem.%1$s.options.%2$s or spring.ssl.bundle.jks.%1$s.options.%2$s"
            .formatted(bundle, option);
  }
}
