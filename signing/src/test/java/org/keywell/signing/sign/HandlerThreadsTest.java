package org.keywell.signing.sign;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.keypool.hsm.fake.Operation;
import org.keywell.signing.record.RecordsDatabase;
import org.keywell.signing.record.SignRecord;
import org.keywell.signing.request.SampleRequests;
import org.keywell.signing.request.SignOutcome;

@Tag("postgresql")
@Timeout(60)
final class HandlerThreadsTest {

  private final RecordsDatabase database = new RecordsDatabase();
  private final ServiceParts parts = new ServiceParts(database);

  @AfterEach
  void close() throws Exception {
    parts.close();
    database.close();
  }

  @Test
  void signAtTheSameTime() throws Exception {
    HandlerThreads threads =
        new HandlerThreads(
            List.of(parts.newHandler(), parts.newHandler(), parts.newHandler()),
            List.of(),
            parts.queue);
    parts.withKeys(3).device.hsm.faults().hang(Operation.SIGN);
    threads.start();
    CompletableFuture<?>[] answers = {sign(), sign(), sign()};

    parts.device.hsm.faults().awaitHanging(Operation.SIGN, 3);
    parts.device.hsm.faults().healAll();

    CompletableFuture.allOf(answers).get(20, SECONDS);
    threads.finish(RecordsDatabase.LIMIT);
  }

  @Test
  void finishWaitsForTheRequestThatIsBeingSigned() throws Exception {
    parts.withKeys(1).device.hsm.faults().hang(Operation.SIGN);
    parts.threads.start();
    CompletableFuture<SignRecord> answer = sign();
    parts.device.hsm.faults().awaitHanging(Operation.SIGN, 1);
    CompletableFuture<Void> finished = CompletableFuture.runAsync(this::finish);
    assertThat(finished).isNotDone();
    parts.device.hsm.faults().healAll();

    finished.get(20, SECONDS);
    assertThat(answer.get(20, SECONDS).outcome()).isInstanceOf(SignOutcome.Signed.class);
  }

  @Test
  void finishIsNothingForThreadsThatWereNeverStarted() throws Exception {
    parts.threads.finish(RecordsDatabase.LIMIT);
  }

  private void finish() {
    try {
      parts.threads.finish(RecordsDatabase.LIMIT);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private CompletableFuture<SignRecord> sign() {
    CompletableFuture<SignRecord> answer = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            answer.complete(parts.service.sign(SampleRequests.any(), SampleRequests.receivedNow()));
          } catch (InterruptedException | RuntimeException e) {
            answer.completeExceptionally(e);
          }
        });
    return answer;
  }
}
