package org.keywell.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import java.io.IOException;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.client.CallObserver;
import org.keywell.client.KeywellClient;
import org.keywell.testkit.Answers;
import org.keywell.testkit.StubService;
import org.keywell.testkit.StubService.Answer;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What an application's metrics and traces know of its calls. */
final class CallObservationsTest {

  private final TestObservationRegistry registry = TestObservationRegistry.create();
  private final ApplicationContextRunner application =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  KeywellClientAutoConfiguration.class, KeywellObservationAutoConfiguration.class));

  @Test
  void theApplicationsClientIsObserved() throws Exception {
    try (StubService service = StubService.start()) {
      service.when("GET /pool", _ -> Answer.json(Answers.POOL));
      application
          .withBean(ObservationRegistry.class, () -> registry)
          .withPropertyValues("keywell.client.uri=" + service.uri())
          .run(context -> context.getBean(KeywellClient.class).pool());
    }
    observed("pool", "success", "none").doesNotHaveError();
  }

  @ParameterizedTest
  @CsvSource({
    "urn:keywell:problem:queue-full, queue-full",
    "about:blank, other",
    "urn:keywell:problem:X-123456, other",
    "https://another.example/problem/17, other",
  })
  void aRefusalIsNamedUnlessItIsNotKeywells(String type, String name) throws Exception {
    try (StubService service = StubService.start();
        KeywellClient client = observedClient(service.uri())) {
      service.when("GET /pool", _ -> Answer.problem(403, "{\"type\":\"%s\"}".formatted(type)));
      assertThatThrownBy(client::pool).isInstanceOf(IOException.class);
    }
    observed("pool", "refused", name).doesNotHaveError();
  }

  @Test
  void aCallWithoutAnAnswerIsAnError() throws Exception {
    URI nobody;
    try (StubService service = StubService.start()) {
      nobody = service.uri();
    }
    try (KeywellClient client = observedClient(nobody)) {
      assertThatThrownBy(client::pool).isInstanceOf(IOException.class);
    }
    observed("pool", "unanswered", "none").hasError();
  }

  @Test
  void anIdIsForTracesAlone() throws Exception {
    String act = "6f2f7c1e-9f0f-4c7c-8f5b-0f3f5c9d7a11";
    try (StubService service = StubService.start();
        KeywellClient client = observedClient(service.uri())) {
      service.when("DELETE /acts/" + act, _ -> new Answer(204, "application/json", new byte[0]));
      client.cancelAct(act);
    }
    observed("cancel-act", "success", "none")
        .hasContextualNameEqualTo("keywell cancel-act")
        .hasHighCardinalityKeyValue("keywell.request.id", act)
        .hasHighCardinalityKeyValue("keywell.tries", "1");
  }

  @Test
  void anApplicationWithoutObservationsStarts() {
    ApplicationContextRunner withUri =
        application.withPropertyValues("keywell.client.uri=http://127.0.0.1:1");
    withUri.run(context ->
        assertThat(context).hasSingleBean(KeywellClient.class).doesNotHaveBean(CallObserver.class));
    withUri
        .withClassLoader(new FilteredClassLoader("io.micrometer"))
        .run(context -> assertThat(context).hasSingleBean(KeywellClient.class));
  }

  private KeywellClient observedClient(URI uri) {
    return KeywellClient.at(uri).observer(new CallObservations(registry)).build();
  }

  /** The one observation that there is, with all of its low-cardinality keys. */
  private TestObservationRegistryAssert
          .TestObservationRegistryAssertReturningObservationContextAssert
      observed(String operation, String outcome, String problem) {
    var call =
        TestObservationRegistryAssert.assertThat(registry)
            .hasNumberOfObservationsEqualTo(1)
            .hasSingleObservationThat();
    call.hasNameEqualTo("keywell.client.call")
        .hasBeenStopped()
        .hasLowCardinalityKeyValue("operation", operation)
        .hasLowCardinalityKeyValue("outcome", outcome)
        .hasLowCardinalityKeyValue("problem", problem)
        .hasSubsetOfKeys("operation", "outcome", "problem", "keywell.request.id", "keywell.tries");
    return call;
  }
}
