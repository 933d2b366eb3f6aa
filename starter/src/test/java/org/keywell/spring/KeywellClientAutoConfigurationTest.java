package org.keywell.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.client.KeywellClient;
import org.keywell.testkit.Answers;
import org.keywell.testkit.StubService;
import org.keywell.testkit.StubService.Answer;
import org.keywell.testkit.TestIdentity;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Which client an application gets, by its settings. */
final class KeywellClientAutoConfigurationTest {

  private final ApplicationContextRunner application =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  SslAutoConfiguration.class, KeywellClientAutoConfiguration.class));

  @TempDir Path directory;

  @Test
  void withoutAnAddressThereIsNone() {
    application.run(context -> assertThat(context).doesNotHaveBean(KeywellClient.class));
  }

  @Test
  void theServiceAtTheAddressIsCalled() throws Exception {
    try (StubService service = poolService()) {
      application
          .withPropertyValues("keywell.client.uri=" + service.uri())
          .run(context -> {
            assertThat(service.bodies()).as("calls by the start").isEmpty();
            assertThat(context.getBean(KeywellClient.class).pool().mode()).isEqualTo("pooled");
            assertThat(service.headers("Authorization")).containsExactly("");
          });
    }
  }

  @Test
  void theTokenOfTheFileIsShown() throws Exception {
    Path token = Files.writeString(directory.resolve("token"), "a1b2c3\n");
    try (StubService service = poolService()) {
      application
          .withPropertyValues(
              "keywell.client.uri=" + service.uri(), "keywell.client.token-file=" + token)
          .run(context -> {
            context.getBean(KeywellClient.class).pool();
            assertThat(service.headers("Authorization")).containsExactly("Bearer a1b2c3");
          });
    }
  }

  @Test
  void theBundleShowsACertificateAndTrustsTheService() throws Exception {
    TestIdentity identity = TestIdentity.ec();
    String bundle = "spring.ssl.bundle.pem.e-service.";
    ApplicationContextRunner withBundle =
        application.withPropertyValues(
            bundle + "keystore.certificate=" + identity.certificatePem(),
            bundle + "keystore.private-key=" + identity.keyPem(),
            bundle + "truststore.certificate=" + identity.certificatePem());
    try (StubService service = serviceThatAsksForCertificates(identity)) {
      service.when("GET /pool", _ -> Answer.json(Answers.POOL));
      withBundle
          .withPropertyValues(
              "keywell.client.uri=" + service.uri(), "keywell.client.ssl.bundle=e-service")
          .run(context ->
              assertThat(context.getBean(KeywellClient.class).pool().mode()).isEqualTo("pooled"));
      withBundle
          .withPropertyValues("keywell.client.uri=" + service.uri())
          .run(context ->
              assertThatThrownBy(() -> context.getBean(KeywellClient.class).pool())
                  .as("without the bundle")
                  .isInstanceOf(IOException.class));
    }
  }

  @Test
  void theApplicationsOwnClientIsUsed() {
    try (KeywellClient own = new KeywellClient(URI.create("http://127.0.0.1:1"))) {
      application
          .withBean("own", KeywellClient.class, () -> own)
          .withPropertyValues("keywell.client.uri=http://127.0.0.1:2")
          .run(context -> assertThat(context).getBean(KeywellClient.class).isSameAs(own));
    }
  }

  @Test
  void aMisspeltAddressIsNotJustNoClient() {
    application
        .withPropertyValues("keywell.client.url=http://127.0.0.1:1")
        .run(context -> assertThat(context).hasFailed());
  }

  @ParameterizedTest
  @CsvSource({
    "keywell.client.url=http://127.0.0.1:1, keywell.client.url",
    "keywell.client.ssl.bundel=e-service, keywell.client.ssl.bundel",
    "keywell.client.uri=keywell.example:8443, expected http://HOST or https://HOST",
    "keywell.client.uri=ftp://keywell.example, expected http://HOST or https://HOST",
    "keywell.client.ssl.bundle=e-service, keywell.client.ssl.bundle is of no use",
    "keywell.client.deadline=0s, keywell.client.deadline is PT0S",
    "keywell.client.timestamp.uri=tsa.example, keywell.client.timestamp.uri is 'tsa.example'",
    "keywell.client.timestamp.timeout=-1s, keywell.client.timestamp.timeout is PT-1S",
    "keywell.client.token-file=/nowhere/token, keywell.client.token-file cannot be read",
  })
  void whatCannotWorkStopsTheStartByItsName(String setting, String said) {
    application
        .withPropertyValues("keywell.client.uri=http://127.0.0.1:1", setting)
        .run(context ->
            assertThat(context)
                .getFailure()
                .satisfies(failure -> assertThat(allMessages(failure)).contains(said)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://keywell.example", "http://127.0.0.1.example"})
  void theTokenOfThisMachineLeavesItNever(String uri) {
    application
        .withPropertyValues("keywell.client.uri=" + uri, "keywell.client.token-file=/etc/token")
        .run(context ->
            assertThat(context)
                .getFailure()
                .hasStackTraceContaining("is for a service on this machine"));
  }

  @Test
  void aBundleThatIsNotThereStopsTheStart() {
    application
        .withPropertyValues(
            "keywell.client.uri=https://127.0.0.1:1", "keywell.client.ssl.bundle=missing")
        .run(context -> assertThat(context).getFailure().hasStackTraceContaining("'missing'"));
  }

  private static StubService poolService() throws IOException {
    StubService service = StubService.start();
    service.when("GET /pool", _ -> Answer.json(Answers.POOL));
    return service;
  }

  private static StubService serviceThatAsksForCertificates(TestIdentity identity)
      throws Exception {
    SSLContext tls = SSLContext.getInstance("TLS");
    KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
    own.init(identity.store(), TestIdentity.PASSWORD);
    TrustManagerFactory trusted = TrustManagerFactory.getInstance("PKIX");
    trusted.init(identity.store());
    tls.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
    HttpsServer server = HttpsServer.create(StubService.anyPort(), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(tls) {
          @Override
          public void configure(HttpsParameters parameters) {
            SSLParameters needed = tls.getDefaultSSLParameters();
            needed.setNeedClientAuth(true);
            parameters.setSSLParameters(needed);
          }
        });
    return StubService.on(server, "https");
  }

  private static String allMessages(Throwable failure) {
    StringBuilder all = new StringBuilder();
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      all.append(cause).append('\n');
    }
    return all.toString();
  }
}
