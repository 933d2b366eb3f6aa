package org.keywell.spring;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.keywell.client.CallObserver;
import org.keywell.client.ClientBuilder;
import org.keywell.client.KeywellClient;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;

/** Creates the client if the service's address is set. */
@AutoConfiguration(after = SslAutoConfiguration.class)
@EnableConfigurationProperties(KeywellClientProperties.class)
public final class KeywellClientAutoConfiguration {

  /** Opens no connection yet, so an application starts without the service. */
  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnProperty("keywell.client.uri")
  KeywellClient keywellClient(
      KeywellClientProperties properties,
      ObjectProvider<SslBundles> bundles,
      ObjectProvider<CallObserver> observer) {
    ClientBuilder client =
        KeywellClient.at(Objects.requireNonNull(properties.uri())).deadline(properties.deadline());
    if (properties.ssl().bundle() != null) {
      client.tls(bundles.getObject().getBundle(properties.ssl().bundle()).createSslContext());
    }
    if (properties.tokenFile() != null) {
      client.token(token(properties.tokenFile()));
    }
    observer.ifAvailable(client::observer);
    return client.build();
  }

  private static String token(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new UncheckedIOException("keywell.client.token-file cannot be read", e);
    }
  }
}
