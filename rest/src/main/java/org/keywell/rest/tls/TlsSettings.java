package org.keywell.rest.tls;

import java.io.UncheckedIOException;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.keywell.settings.StartRefusedException;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.core.env.Environment;

/** Refuses TLS versions and cipher suites that should not be used, and settings without effect. */
public final class TlsSettings {

  private static final String VERSIONS = "enabled-protocols";
  private static final String CIPHERS = "ciphers";

  private final Environment environment;
  private final SslBundles bundles;

  public TlsSettings(Environment environment, SslBundles bundles) {
    this.environment = environment;
    this.bundles = bundles;
  }

  /**
   * Checks a port.
   *
   * @param prefix of its settings
   * @throws StartRefusedException naming the setting
   */
  public void check(String prefix) {
    @Nullable ServerTls tls = ServerTls.of(prefix, environment);
    if (tls != null) {
      refuseWithoutEffect(tls);
      tls.sources().forEach(this::check);
    }
  }

  /** Spring Boot silently takes these from the bundle, if there is one. */
  private static void refuseWithoutEffect(ServerTls tls) {
    if (tls.bundle() == null) {
      return;
    }
    if (tls.ssl().getEnabledProtocols() != null) {
      throw withoutEffect(tls, VERSIONS);
    }
    if (tls.ssl().getCiphers() != null) {
      throw withoutEffect(tls, CIPHERS);
    }
  }

  private static StartRefusedException withoutEffect(ServerTls tls, String option) {
    return new StartRefusedException(
        "%1$s.ssl.%2$s has no effect beside %1$s.ssl.bundle; set %3$s"
            .formatted(tls.prefix(), option, tls.sources().getFirst().optionSetting(option)));
  }

  private void check(StoreSource source) {
    SslOptions options;
    try {
      options = source.load(bundles).getOptions();
    } catch (IllegalStateException | UncheckedIOException e) {
      throw new StartRefusedException(
          "%s.ssl: the certificates cannot be read: %s"
              .formatted(source.port().prefix(), e.getMessage()),
          e);
    }
    refuseOthers(options.getEnabledProtocols(), TlsRules.VERSIONS, source, VERSIONS);
    refuseOthers(options.getCiphers(), TlsRules.CIPHERS, source, CIPHERS);
  }

  private static void refuseOthers(
      String @Nullable [] named, Collection<String> allowed, StoreSource source, String option) {
    if (named == null) {
      return;
    }
    for (String value : named) {
      if (!allowed.contains(value)) {
        throw new StartRefusedException(
            "%s names %s; allowed are %s"
                .formatted(source.optionSetting(option), value, String.join(", ", allowed)));
      }
    }
  }
}
