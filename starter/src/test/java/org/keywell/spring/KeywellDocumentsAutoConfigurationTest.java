package org.keywell.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.keywell.client.KeywellClient;
import org.keywell.dss.KeywellDocumentSigner;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Whether an application gets a signer of documents. */
final class KeywellDocumentsAutoConfigurationTest {

  private final ApplicationContextRunner application =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  KeywellClientAutoConfiguration.class, KeywellDocumentsAutoConfiguration.class));

  @Test
  void thereIsOneForAClient() {
    application.run(context -> assertThat(context).doesNotHaveBean(KeywellDocumentSigner.class));
    application
        .withPropertyValues("keywell.client.uri=http://127.0.0.1:1")
        .run(context -> assertThat(context).hasSingleBean(KeywellDocumentSigner.class));
  }

  @Test
  void alsoForAClientOfTheApplicationsOwn() {
    try (KeywellClient own = new KeywellClient(URI.create("http://127.0.0.1:1"))) {
      application
          .withBean(KeywellClient.class, () -> own)
          .withPropertyValues("keywell.client.timestamp.uri=http://tsa.example/")
          .run(context -> assertThat(context).hasSingleBean(KeywellDocumentSigner.class));
    }
  }

  @Test
  void theApplicationsOwnIsUsed() {
    try (KeywellClient client = new KeywellClient(URI.create("http://127.0.0.1:1"))) {
      KeywellDocumentSigner own = new KeywellDocumentSigner(client);
      application
          .withBean("own", KeywellDocumentSigner.class, () -> own)
          .withPropertyValues("keywell.client.uri=http://127.0.0.1:2")
          .run(context -> assertThat(context).getBean(KeywellDocumentSigner.class).isSameAs(own));
    }
  }

  @Test
  void anApplicationWithoutDssStarts() {
    application
        .withClassLoader(new FilteredClassLoader("org.keywell.dss", "eu.europa.esig"))
        .withPropertyValues("keywell.client.uri=http://127.0.0.1:1")
        .run(context ->
            assertThat(context)
                .hasSingleBean(KeywellClient.class)
                .doesNotHaveBean(KeywellDocumentsAutoConfiguration.class));
  }
}
