package org.keywell.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.keywell.client.LossyServer.Loss;
import org.keywell.testkit.Answers;
import org.keywell.testkit.StubService;
import org.keywell.testkit.StubService.Answer;
import org.keywell.testkit.TestIdentity;

/** An observer is told of each call once, however often it is retried. */
class CallObserverTest {
  private final List<String> begun = new ArrayList<>();
  private final List<CallEnd> ended = new ArrayList<>();
  private final CallObserver observer =
      (operation, id) -> {
        begun.add(operation + " " + id);
        return ended::add;
      };

  @Test
  void anAnswerIsTold() throws Exception {
    String answer = Answers.signed(TestIdentity.ec(), "ECDSA", new byte[] {1});
    try (LossyServer server = LossyServer.start(answer, n -> n < 3 ? Loss.CLOSED : Loss.NONE);
        KeywellClient client = KeywellClient.at(server.uri()).observer(observer).build()) {
      assertThat(client.signAct("x", List.of(new byte[32])).signature()).containsExactly(1);
    }
    assertThat(begun).containsExactly("sign-act x");
    assertThat(ended).containsExactly(new CallEnd(3, 200, null, null));
  }

  @Test
  void aProblemIsTold() throws Exception {
    try (StubService service = StubService.start();
        KeywellClient client = KeywellClient.at(service.uri()).observer(observer).build()) {
      service.when(
          "DELETE /acts/x",
          _ -> Answer.problem(410, "{\"type\":\"urn:keywell:problem:act-expired\"}"));

      assertThatExceptionOfType(ServiceProblemException.class)
          .isThrownBy(() -> client.cancelAct("x"));
      assertThatExceptionOfType(ServiceProblemException.class)
          .isThrownBy(() -> client.act("unknown"));
    }
    assertThat(begun).containsExactly("cancel-act x", "act unknown");
    assertThat(ended)
        .containsExactly(
            new CallEnd(1, 410, "urn:keywell:problem:act-expired", null),
            new CallEnd(1, 404, "about:blank", null));
  }

  @Test
  void silenceIsTold() throws Exception {
    try (LossyServer server = LossyServer.start("", _ -> Loss.CLOSED);
        KeywellClient client =
            KeywellClient.at(server.uri()).withoutRetries().observer(observer).build()) {
      assertThatExceptionOfType(NoAnswerException.class).isThrownBy(client::pool);
    }
    assertThat(ended).singleElement().satisfies(e -> assertThat(e.status()).isZero());
    assertThat(ended.getFirst().failure()).isInstanceOf(NoAnswerException.class);
  }
}
