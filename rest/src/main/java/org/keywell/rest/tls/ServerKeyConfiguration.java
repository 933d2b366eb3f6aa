package org.keywell.rest.tls;

import org.keywell.settings.KeywellProperties;
import org.keywell.settings.ServerKeyProperties;
import org.keywell.signing.ca.BoundedSigner;
import org.keywell.signing.ca.ServerKeys;
import org.keywell.signing.hsm.Devices;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.ssl.SslBundleRegistrar;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.StringUtils;

/** The server's key in an HSM, if there is one. */
@Configuration(proxyBeanMethods = false)
@Conditional(ServerKeyConfiguration.IsNamed.class)
public class ServerKeyConfiguration {

  /** Without it, the web server cannot be configured, so the HSMs are opened before that. */
  @Bean
  BoundedSigner serverKey(ServerKeys keys, Devices devices) {
    return keys.open(devices);
  }

  /** Replaces Spring Boot's. */
  @Bean
  SslBundles sslBundles(
      ObjectProvider<SslBundleRegistrar> registrars,
      KeywellProperties properties,
      BoundedSigner key) {
    DefaultSslBundleRegistry files = new DefaultSslBundleRegistry();
    registrars.orderedStream().forEach(registrar -> registrar.registerBundles(files));
    return new ServerKeyBundles(files, properties.serverKey(), key);
  }

  /** As {@link ServerKeyProperties} reads the setting. */
  static final class IsNamed implements Condition {

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
      return StringUtils.hasText(
          Binder.get(context.getEnvironment())
              .bind("keywell.server-key.label", String.class)
              .orElse(""));
    }
  }
}
