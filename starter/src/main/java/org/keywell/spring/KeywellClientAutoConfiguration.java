package org.keywell.spring;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.keywell.client.KeywellClient;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;

/** Makes the client, once it is said where the service is. */
@AutoConfiguration(after = SslAutoConfiguration.class)
@ConditionalOnProperty("keywell.client.uri")
@EnableConfigurationProperties(KeywellClientProperties.class)
public final class KeywellClientAutoConfiguration {

  /** Opens no connection yet: an application starts without the service. */
  @Bean
  @ConditionalOnMissingBean
  KeywellClient keywellClient(
      KeywellClientProperties properties, ObjectProvider<SslBundles> bundles) {
    return new KeywellClient(
        properties.uri(),
        properties.deadline(),
        tls(properties.ssl().bundle(), bundles),
        token(properties.tokenFile()));
  }

  private static @Nullable SSLContext tls(
      @Nullable String bundle, ObjectProvider<SslBundles> bundles) {
    return bundle == null ? null : bundles.getObject().getBundle(bundle).createSslContext();
  }

  private static @Nullable String token(@Nullable Path file) {
    if (file == null) {
      return null;
    }
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new UncheckedIOException("keywell.client.token-file cannot be read", e);
    }
  }
}
