package org.keywell.signing.record;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.signing.request.FailureReason;
import org.keywell.signing.request.SampleRequests;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SignRequest;

/** A database that is away for a while costs no outcome, and none is told that is not on record. */
@Timeout(60)
@Tag("postgresql")
final class RecordOutageTest {

  private static final RecordsDatabase database = new RecordsDatabase();

  private final SpyDataSource dataSource = new SpyDataSource(database.dataSource());
  private final SignRecords records = new SignRecords(database.dataSource());
  private final RecordWriter writer =
      database.writer(
          dataSource, "outage", RecordsDatabase.QUEUE_LIMIT, Duration.ofSeconds(50), closed -> {});

  @AfterAll
  static void stopDatabase() {
    database.close();
  }

  @AfterEach
  void finish() throws Exception {
    dataSource.away(false);
    writer.finish(RecordsDatabase.LIMIT);
  }

  @Test
  void anOutcomeWaitsForTheDatabase() throws Exception {
    writer.start();
    SignRequest request = onRecord();
    dataSource.away(true);

    CompletableFuture<SignOutcome> durable = ended(request, signed());
    await().until(() -> writer.held() == 1);

    assertThat(writer.isStuck()).isTrue();
    assertThat(durable).isNotDone();
    dataSource.away(false);
    assertThat(durable.get(20, SECONDS)).isInstanceOf(SignOutcome.Signed.class);
    assertThat(outcome(request)).isInstanceOf(SignOutcome.Signed.class);
    assertThat(writer.held()).isZero();
    assertThat(writer.isStuck()).isFalse();
  }

  @Test
  void anIntentDoesNotWait() throws Exception {
    writer.start();
    dataSource.away(true);

    assertThat(writer.received(SampleRequests.any(), SampleRequests.receivedNow()))
        .failsWithin(20, SECONDS)
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(RecordException.class);
  }

  /** It is on record already, and its caller has to hear of that. */
  @Test
  void anOutcomeWhoseCommitTookEffectUnseenIsToldAsItIsOnRecord() throws Exception {
    writer.start();
    SignRequest signed = onRecord();
    dataSource.loseNextAnswer();
    assertThat(ended(signed, signed()).get(20, SECONDS)).isInstanceOf(SignOutcome.Signed.class);
    assertThat(outcome(signed)).isInstanceOf(SignOutcome.Signed.class);

    SignRequest failed = onRecord();
    dataSource.loseNextAnswer();
    SignOutcome failure =
        new SignOutcome.Failed(
            FailureReason.HSM_UNAVAILABLE, "a test", RecordsDatabase.newKeyUse());
    assertThat(ended(failed, failure).get(20, SECONDS)).isSameAs(failure);
    assertThat(outcome(failed)).isInstanceOf(SignOutcome.Failed.class);

    SignRequest expired = onRecord();
    dataSource.loseNextAnswer();
    assertThat(ended(expired, new SignOutcome.Expired()).get(20, SECONDS))
        .isInstanceOf(SignOutcome.Expired.class);
  }

  @Test
  void whatAnotherPutOnRecordIsNotTakenForItsOwn() throws Exception {
    writer.start();
    SignRequest request = onRecord();
    dataSource.away(true);
    CompletableFuture<SignOutcome> durable = ended(request, signed());
    await().until(() -> writer.held() == 1);
    int _ = database.closeInFlight("outage");
    dataSource.away(false);

    assertThat(durable)
        .failsWithin(20, SECONDS)
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(RecordException.class);
    assertThat(outcome(request)).isInstanceOf(SignOutcome.Failed.class);
  }

  /** Nobody may come who would notice. */
  @Test
  void itNoticesByItselfThatTheDatabaseIsBack() throws Exception {
    writer.start();
    dataSource.away(true);
    assertThat(writer.received(SampleRequests.any(), SampleRequests.receivedNow()))
        .failsWithin(20, SECONDS);
    assertThat(writer.isStuck()).isTrue();
    dataSource.away(false);

    await().until(() -> !writer.isStuck());
    assertThat(writer.lastFailure()).isEmpty();
  }

  @Test
  void aTransactionThatTakesLongCountsAsADatabaseThatIsAway() throws Exception {
    writer.start();
    CountDownLatch go = new CountDownLatch(1);
    dataSource.holdCommits(go);
    CompletableFuture<Boolean> intent =
        writer.received(SampleRequests.any(), SampleRequests.receivedNow());
    dataSource.awaitHeld();
    assertThat(writer.isStuck()).isFalse();

    await().until(writer::isStuck);
    go.countDown();

    assertThat(intent.get(20, SECONDS)).isTrue();
    await().until(() -> !writer.isStuck());
  }

  @Test
  void aStopDoesNotWaitForTheDatabaseForEver() throws Exception {
    writer.start();
    SignRequest request = onRecord();
    dataSource.away(true);
    CompletableFuture<SignOutcome> durable = ended(request, signed());
    await().until(() -> writer.held() == 1);

    assertThat(writer.finish(Duration.ofMillis(500))).isFalse();

    assertThat(durable)
        .failsWithin(20, SECONDS)
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(RecordException.class);
  }

  /** Whatever fails, and whenever: each ends once, and as its record says. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void noOutcomeIsLostOrDiffersFromItsRecord(long seed) throws Exception {
    Random random = new Random(seed);
    long openBefore = open();
    writer.start();
    Map<SignRequest, CompletableFuture<SignOutcome>> ended = new LinkedHashMap<>();
    AtomicInteger ends = new AtomicInteger();
    for (int i = 0; i < 60; i++) {
      SignRequest request = onRecordInTheEnd();
      switch (random.nextInt(8)) {
        case 0 -> dataSource.loseNextCommit();
        case 1 -> dataSource.loseNextAnswer();
        case 2 -> dataSource.loseNextStatement();
        case 3 -> dataSource.failNext(new IllegalStateException("no connection"));
        default -> {}
      }
      SignOutcome outcome =
          switch (random.nextInt(3)) {
            case 0 -> new SignOutcome.Expired();
            case 1 ->
                new SignOutcome.Failed(
                    FailureReason.HSM_UNAVAILABLE, null, RecordsDatabase.newKeyUse());
            default -> signed();
          };
      CompletableFuture<SignOutcome> durable = ended(request, outcome);
      ended.put(request, durable.whenComplete((result, failure) -> ends.incrementAndGet()));
    }

    for (Map.Entry<SignRequest, CompletableFuture<SignOutcome>> entry : ended.entrySet()) {
      SignOutcome told = entry.getValue().get(30, SECONDS);
      assertThat(outcome(entry.getKey())).hasSameClassAs(told);
    }
    assertThat(ends).hasValue(ended.size());
    assertThat(open()).isEqualTo(openBefore);
  }

  private static long open() throws Exception {
    return database.sql().count("SELECT count(*) FROM sign_request WHERE status = 'received'");
  }

  /** Whatever faults are left over from the outcome before: intents do not wait. */
  private SignRequest onRecordInTheEnd() throws Exception {
    while (true) {
      SignRequest request = SampleRequests.any();
      try {
        if (writer.received(request, SampleRequests.receivedNow()).get(20, SECONDS)) {
          return request;
        }
      } catch (ExecutionException e) {
        assertThat(e).hasCauseInstanceOf(RecordException.class);
      }
    }
  }

  private SignRequest onRecord() throws Exception {
    SignRequest request = SampleRequests.any();
    assertThat(writer.received(request, SampleRequests.receivedNow()).get(20, SECONDS)).isTrue();
    return request;
  }

  private CompletableFuture<SignOutcome> ended(SignRequest request, SignOutcome outcome)
      throws InterruptedException {
    CompletableFuture<SignOutcome> durable = new CompletableFuture<>();
    writer.ended(
        request,
        outcome instanceof SignOutcome.Signed ? SampleRequests.passedAll() : SampleRequests.ended(),
        outcome,
        durable);
    return durable;
  }

  private static SignOutcome signed() {
    return RecordsDatabase.signedWith(RecordsDatabase.newKeyUse());
  }

  private SignOutcome outcome(SignRequest request) {
    SignOutcome outcome = records.find(request.requestId()).orElseThrow().outcome();
    if (outcome == null) {
      throw new AssertionError("still open");
    }
    return outcome;
  }
}
