package org.keywell.loadgen.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.keywell.client.KeywellClient;
import org.keywell.testkit.StubService;
import org.keywell.testkit.StubService.Answer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class ServiceSignerTest {

  /** While keys are generated one after the other, the usual deadline passes with ten clients. */
  @Test
  void aSignatureMayTakeAsLongAsTheServiceAllows() throws Exception {
    AtomicReference<JsonNode> asked = new AtomicReference<>();
    try (StubService service = StubService.start();
        KeywellClient client = new KeywellClient(service.uri())) {
      service.when(
          "POST /sign",
          body -> {
            asked.set(JsonMapper.shared().readTree(body));
            return Answer.problem(
                503, "{\"type\":\"urn:keywell:problem:queue-full\",\"status\":503}");
          });
      ServiceSigner signer = new ServiceSigner(client, "RSA-2048", false, Duration.ofMinutes(10));

      assertThatIllegalStateException()
          .isThrownBy(() -> signer.sign(new byte[1]))
          .withMessageContaining("queue-full");
    }
    assertThat(asked.get().path("deadlineMillis").asLong()).isEqualTo(600_000);
    assertThat(asked.get().path("keySpec").asString()).isEqualTo("RSA-2048");
  }
}
