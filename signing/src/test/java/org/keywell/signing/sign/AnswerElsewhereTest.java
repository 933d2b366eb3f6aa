package org.keywell.signing.sign;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.signing.record.RecordWriter;
import org.keywell.signing.record.RecordsDatabase;
import org.keywell.signing.record.SignRecord;
import org.keywell.signing.record.SignRecords;
import org.keywell.signing.request.SampleRequests;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SignRequest;

@Tag("postgresql")
@Timeout(60)
final class AnswerElsewhereTest {

  private static final RecordsDatabase database = new RecordsDatabase();

  private final SignRecords records = new SignRecords(database.dataSource());
  private final AtomicLong nanos = new AtomicLong();
  private final List<Duration> pauses = new ArrayList<>();
  private final SignRequest request = SampleRequests.any();
  private SignRecord first;

  @AfterAll
  static void close() {
    database.close();
  }

  @BeforeEach
  void anotherInstanceReceivesIt() throws Exception {
    RecordWriter another = database.writer(database.dataSource(), "another");
    another.start();
    assertThat(another.received(request, SampleRequests.receivedNow()).get(20, TimeUnit.SECONDS))
        .isTrue();
    another.finish(Duration.ofSeconds(10));
    first = records.find(request.requestId()).orElseThrow();
  }

  private void anotherInstanceEndsIt() {
    RecordWriter another = database.writer(database.dataSource(), "another");
    another.start();
    try {
      another.ended(
          request, SampleRequests.ended(), new SignOutcome.Expired(), new CompletableFuture<>());
      another.finish(Duration.ofSeconds(10));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private AnswerElsewhere elsewhere(int endsAtLook) {
    return new AnswerElsewhere(
        records,
        nanos::get,
        time -> {
          pauses.add(time);
          nanos.addAndGet(time.toNanos());
          if (pauses.size() == endsAtLook) {
            anotherInstanceEndsIt();
          }
        });
  }

  @Test
  void waitsForTheAnswerWithGrowingPauses() throws Exception {
    SignRecord answer = elsewhere(6).await(first, request.caller(), Duration.ofSeconds(40));

    assertThat(answer.outcome()).isEqualTo(new SignOutcome.Expired());
    assertThat(pauses)
        .extracting(Duration::toMillis)
        .containsExactly(20L, 40L, 80L, 160L, 250L, 250L);
  }

  @Test
  void waitsNoLongerThanItsCallerHasPatience() throws Exception {
    SignRecord answer = elsewhere(0).await(first, request.caller(), Duration.ofMillis(100));

    assertThat(answer.outcome()).isNull();
    assertThat(nanos.get()).isEqualTo(Duration.ofMillis(100).toNanos());
  }

  @Test
  void anAnswerThatIsThereIsNotWaitedFor() throws Exception {
    anotherInstanceEndsIt();
    SignRecord ended = records.find(request.requestId()).orElseThrow();

    assertThat(elsewhere(0).await(ended, request.caller(), Duration.ofSeconds(1))).isSameAs(ended);
    assertThat(elsewhere(0).await(first, request.caller(), Duration.ofSeconds(-1))).isSameAs(first);
    assertThat(pauses).isEmpty();
  }

  @Test
  void noMoreWaitThanMay() throws Exception {
    CountDownLatch waiting = new CountDownLatch(AnswerElsewhere.MAX_WAITING);
    CountDownLatch go = new CountDownLatch(1);
    AnswerElsewhere elsewhere =
        new AnswerElsewhere(
            records,
            nanos::get,
            time -> {
              waiting.countDown();
              go.await();
            });
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<SignRecord>> answers = new ArrayList<>();
      for (int i = 0; i < AnswerElsewhere.MAX_WAITING; i++) {
        answers.add(
            callers.submit(() -> elsewhere.await(first, request.caller(), Duration.ofSeconds(1))));
      }
      waiting.await();
      assertThat(elsewhere.await(first, request.caller(), Duration.ofSeconds(1)))
          .as("one too many")
          .isSameAs(first);

      anotherInstanceEndsIt();
      go.countDown();
      for (Future<SignRecord> answer : answers) {
        assertThat(answer.get().outcome()).isEqualTo(new SignOutcome.Expired());
      }
    }
  }
}
