package org.keywell.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.client.KeywellClient;
import org.keywell.testkit.StubService;
import org.keywell.testkit.StubService.Answer;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What an application's health says of the service. */
final class KeywellHealthIndicatorTest {

  private final ApplicationContextRunner application =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  KeywellClientAutoConfiguration.class, KeywellHealthAutoConfiguration.class));

  @Test
  void isUpWhileTheServiceIsReadyAndAsksNothingElse() throws Exception {
    try (StubService service = StubService.start()) {
      service.when("GET /readyz", _ -> Answer.json("{}"));
      assertThat(healthWith(service.uri()).getStatus()).isEqualTo(Status.UP);
      assertThat(service.bodies()).as("calls").hasSize(1);
    }
  }

  @Test
  void isOutOfServiceWhileTheServiceIsNotReady() throws Exception {
    try (StubService service = StubService.start()) {
      service.when("GET /readyz", _ -> new Answer(503, "application/json", new byte[0]));
      Health health = healthWith(service.uri());
      assertThat(health.getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
      assertThat(health.getDetails()).containsEntry("reason", "not ready");
      assertThat(service.bodies()).as("calls").hasSize(1);
    }
  }

  @ParameterizedTest
  @CsvSource({"role-missing, UNKNOWN", "caller-unknown, DOWN"})
  void tellsACallerThatMayNotAskFromWhoIsNone(String problem, String status) throws Exception {
    Answer refusal =
        Answer.problem(403, "{\"type\":\"urn:keywell:problem:%s\"}".formatted(problem));
    try (StubService service = StubService.start()) {
      service.when("GET /readyz", _ -> refusal);
      Health health = healthWith(service.uri());
      assertThat(health.getStatus().getCode()).isEqualTo(status);
      assertThat(health.getDetails()).containsEntry("reason", "urn:keywell:problem:" + problem);
    }
  }

  @Test
  void isDownWhereNobodyAnswers() throws Exception {
    URI nobody;
    try (StubService service = StubService.start()) {
      nobody = service.uri();
    }
    assertThat(healthWith(nobody).getStatus()).isEqualTo(Status.DOWN);
  }

  @Test
  void anInterruptionIsKept() throws Exception {
    try (StubService service = StubService.start()) {
      Thread.currentThread().interrupt();
      Health health = healthWith(service.uri());
      assertThat(Thread.interrupted()).isTrue();
      assertThat(health.getStatus()).isEqualTo(Status.UNKNOWN);
    }
  }

  @Test
  void isThereForAClientAlone() {
    application
        .withPropertyValues("keywell.client.uri=http://127.0.0.1:1")
        .run(context -> assertThat(context).hasSingleBean(KeywellHealthIndicator.class));
    application.run(context -> assertThat(context).doesNotHaveBean(HealthIndicator.class));
    application
        .withPropertyValues(
            "keywell.client.uri=http://127.0.0.1:1", "management.health.keywell.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(HealthIndicator.class));
  }

  @Test
  void anApplicationWithoutHealthStarts() {
    application
        .withClassLoader(new FilteredClassLoader(HealthIndicator.class))
        .withPropertyValues("keywell.client.uri=http://127.0.0.1:1")
        .run(context ->
            assertThat(context)
                .hasSingleBean(KeywellClient.class)
                .doesNotHaveBean(KeywellHealthAutoConfiguration.class));
  }

  private static Health healthWith(URI uri) {
    try (KeywellClient client = new KeywellClient(uri)) {
      return Objects.requireNonNull(new KeywellHealthIndicator(client).health());
    }
  }
}
