package org.keywell.loadgen.drive;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.keywell.client.KeywellClient;
import org.keywell.loadgen.StubService;
import org.keywell.loadgen.StubService.Reaction;
import org.keywell.loadgen.TestChain;

final class ServiceTargetTest {

  private static Outcome outcome(URI uri, Duration timeout) throws InterruptedException {
    try (KeywellClient client = new KeywellClient(uri, timeout, null)) {
      return new ServiceTarget(client, new NumberedContent(1), "RSA-2048", 1_000L, null).send(1);
    }
  }

  private static Outcome reactionTo(Reaction reaction) throws Exception {
    try (StubService stub = StubService.start(TestChain.make())) {
      stub.behave(_ -> reaction);
      return outcome(stub.uri(), Duration.ofSeconds(20));
    }
  }

  @Test
  void tellsOutcomesApart() throws Exception {
    assertThat(reactionTo(Reaction.SIGN)).isInstanceOf(Outcome.Signed.class);
    assertThat(reactionTo(Reaction.REFUSE))
        .isEqualTo(new Outcome.Refused("urn:keywell:problem:queue-full"));
    assertThat(reactionTo(Reaction.FAIL))
        .isEqualTo(new Outcome.Failed("urn:keywell:problem:deadline"));
    assertThat(reactionTo(Reaction.GARBAGE)).isEqualTo(new Outcome.Failed("unreadable answer"));
    assertThat(reactionTo(Reaction.HANG_UP)).isInstanceOf(Outcome.ConnectionFailed.class);
  }

  @Test
  void noAnswerInTimeIsATimeout() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    try (StubService stub = StubService.start(TestChain.make())) {
      stub.behave(_ -> {
        end.await();
        return Reaction.SIGN;
      });
      assertThat(outcome(stub.uri(), Duration.ofMillis(200))).isEqualTo(new Outcome.TimedOut());
    } finally {
      end.countDown();
    }
  }

  @Test
  void nobodyThereIsAConnectionError() throws Exception {
    URI closed;
    try (StubService stub = StubService.start(TestChain.make())) {
      closed = stub.uri();
    }
    assertThat(outcome(closed, Duration.ofSeconds(5)))
        .isEqualTo(new Outcome.ConnectionFailed("no connection"));
  }
}
