package org.keywell.signing.record;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.keywell.ca.Subject;
import org.keywell.identity.ProvenIdentity;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.store.Estate;
import org.keywell.signing.request.FailureReason;
import org.keywell.signing.request.IssuedCertificate;
import org.keywell.signing.request.KeyUse;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.SampleRequests;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SignRequest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
@Tag("postgresql")
final class RecordWriterTest {

  private static final RecordsDatabase database = new RecordsDatabase();

  private final SpyDataSource dataSource = new SpyDataSource(database.dataSource());
  private final SignRecords records = new SignRecords(database.dataSource());
  private final AtomicInteger closedUnrecorded = new AtomicInteger();
  private final RecordWriter writer =
      database.writer(
          dataSource, "writer", RecordsDatabase.QUEUE_LIMIT, closedUnrecorded::addAndGet);

  @AfterAll
  static void stopDatabase() {
    database.close();
  }

  @AfterEach
  void finish() throws Exception {
    writer.finish(RecordsDatabase.LIMIT);
  }

  @Test
  void whoWaitsSharesACommit() throws Exception {
    writer.start();
    CountDownLatch go = new CountDownLatch(1);
    dataSource.holdCommits(go);
    List<CompletableFuture<Boolean>> intents = new ArrayList<>();
    intents.add(received(SampleRequests.any()));
    dataSource.awaitHeld();
    for (int i = 0; i < 500; i++) {
      intents.add(received(SampleRequests.any()));
    }
    assertThat(intents).noneMatch(CompletableFuture::isDone);
    go.countDown();

    for (CompletableFuture<Boolean> intent : intents) {
      assertThat(intent.get(20, SECONDS)).isTrue();
    }
    // The first alone, then at most 256 in each.
    assertThat(dataSource.commits()).isEqualTo(3);
  }

  @Test
  void intentsAndOutcomesShareACommit() throws Exception {
    writer.start();
    SignRequest first = onRecord();
    CountDownLatch go = new CountDownLatch(1);
    dataSource.holdCommits(go);
    CompletableFuture<Boolean> holder = received(SampleRequests.any());
    dataSource.awaitHeld();
    CompletableFuture<SignOutcome> outcome = ended(first, new SignOutcome.Expired());
    CompletableFuture<Boolean> intent = received(SampleRequests.any());
    int before = dataSource.commits();
    go.countDown();

    assertThat(holder.get(20, SECONDS)).isTrue();
    assertThat(outcome.get(20, SECONDS)).isInstanceOf(SignOutcome.Expired.class);
    assertThat(intent.get(20, SECONDS)).isTrue();
    assertThat(dataSource.commits()).isEqualTo(before + 2);
  }

  @Test
  void anIdIsNewOnceAlsoWithinABatch() throws Exception {
    UUID id = UUID.randomUUID();
    List<CompletableFuture<Boolean>> intents = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      intents.add(received(SampleRequests.of(id, i)));
    }
    writer.start();

    List<Boolean> isNew = new ArrayList<>();
    for (CompletableFuture<Boolean> intent : intents) {
      isNew.add(intent.get(20, SECONDS));
    }
    assertThat(isNew).containsExactly(true, false, false, false, false);
    assertThat(records.find(id).orElseThrow().fingerprint())
        .isEqualTo(SampleRequests.of(id, 0).fingerprint());
  }

  /** A failed request has no certificate that would tell. */
  @Test
  void theReceiptNamesCallerSignerAndProofAndNotTheTicket() throws Exception {
    writer.start();
    SignRequest any = SampleRequests.any();
    ProvenIdentity identity =
        new ProvenIdentity(
            "https://idp.example",
            Instant.EPOCH,
            "loa3",
            "ticket-17",
            new byte[] {17},
            Instant.now().plusSeconds(60),
            List.of());
    SignRequest proven =
        new SignRequest(
            any.requestId(),
            any.fingerprint(),
            any.form(),
            any.digestAlgorithm(),
            any.digests(),
            any.scheme(),
            any.keySpec(),
            new Subject("Astrid Exempel", null, null, "PNOSE-197001011234", null, null, "SE"),
            "short-lived",
            identity,
            any.deadline(),
            SampleRequests.caller("tax-portal"),
            any.testId());
    assertThat(received(proven).get(20, SECONDS)).isTrue();
    ended(proven, new SignOutcome.Failed(FailureReason.POOL_EMPTY, null, null)).get(20, SECONDS);

    String row =
        database
            .sql()
            .text(
                "SELECT r::text FROM sign_request r WHERE request_id = '"
                    + proven.requestId()
                    + "'");
    assertThat(row)
        .contains("failed", "tax-portal", "PNOSE-197001011234", "short-lived")
        .contains("https://idp.example", "\\x11")
        .doesNotContain("ticket-17");
  }

  @Test
  void theKeysLedgerIsClosedWithTheOutcome() throws Exception {
    writer.start();
    KeyUse use = RecordsDatabase.newKeyUse();
    claim(use);
    SignRequest request = onRecord();
    ended(request, RecordsDatabase.signedWith(use)).get(20, SECONDS);

    assertThat(claimed(use)).isZero();
  }

  @Test
  void aPoolRowSignsForOneRequestEver() throws Exception {
    writer.start();
    KeyUse use = RecordsDatabase.newKeyUse();
    KeyUse sameRow =
        new KeyUse(
            use.keyId(),
            use.wrappingKeyId(),
            RecordsDatabase.newKeyUse().publicKeySha256(),
            Destruction.DONE,
            false);

    assertOnlyTheFirstIsSigned(use, sameRow);
  }

  @Test
  void aPublicKeySignsForOneRequestEver() throws Exception {
    writer.start();
    KeyUse use = RecordsDatabase.newKeyUse();
    KeyUse other = RecordsDatabase.newKeyUse();
    KeyUse sameKey =
        new KeyUse(
            other.keyId(), other.wrappingKeyId(), use.publicKeySha256(), Destruction.DONE, false);

    assertOnlyTheFirstIsSigned(use, sameKey);
  }

  @Test
  void ofTwoOutcomesWithOneKeyInOneBatchOneIsSigned() throws Exception {
    writer.start();
    KeyUse use = RecordsDatabase.newKeyUse();
    SignRequest one = onRecord();
    SignRequest two = onRecord();
    CountDownLatch go = new CountDownLatch(1);
    dataSource.holdCommits(go);
    CompletableFuture<Boolean> holder = received(SampleRequests.any());
    dataSource.awaitHeld();
    CompletableFuture<SignOutcome> first = ended(one, RecordsDatabase.signedWith(use));
    CompletableFuture<SignOutcome> second = ended(two, RecordsDatabase.signedWith(use));
    go.countDown();

    assertThat(holder.get(20, SECONDS)).isTrue();
    assertThat(first.get(20, SECONDS)).isInstanceOf(SignOutcome.Signed.class);
    assertThat(second.get(20, SECONDS)).isInstanceOf(SignOutcome.Failed.class);
    assertThat(outcome(one)).isInstanceOf(SignOutcome.Signed.class);
    assertThat(outcome(two)).isInstanceOf(SignOutcome.Failed.class);
  }

  private void assertOnlyTheFirstIsSigned(KeyUse use, KeyUse again) throws Exception {
    SignRequest first = onRecord();
    SignRequest second = onRecord();
    ended(first, RecordsDatabase.signedWith(use)).get(20, SECONDS);

    assertThat(ended(second, RecordsDatabase.signedWith(again)).get(20, SECONDS))
        .isInstanceOfSatisfying(
            SignOutcome.Failed.class,
            failed -> assertThat(failed.reason()).isEqualTo(FailureReason.KEY_REUSED));
    assertThat(outcome(first)).isInstanceOf(SignOutcome.Signed.class);
    assertThat(outcome(second))
        .isInstanceOfSatisfying(
            SignOutcome.Failed.class,
            failed -> assertThat(failed.reason()).isEqualTo(FailureReason.KEY_REUSED));
    assertThat(
            database
                .sql()
                .count(
                    "SELECT count(*) FROM sign_request WHERE signature IS NOT NULL AND request_id = '%s'"
                        .formatted(second.requestId())))
        .isZero();
  }

  /** The unique indexes keep the key out of the column of keys; it must be found all the same. */
  @Test
  void aKeyThatCameBackIsNamedInTheLogAndOnRecord(CapturedOutput output) throws Exception {
    writer.start();
    KeyUse use = RecordsDatabase.newKeyUse();
    ended(onRecord(), RecordsDatabase.signedWith(use)).get(20, SECONDS);
    SignRequest again = onRecord();
    ended(again, RecordsDatabase.signedWith(use)).get(20, SECONDS);
    SignRequest andAgain = onRecord();
    ended(andAgain, RecordsDatabase.signedWith(use)).get(20, SECONDS);

    assertThat(output)
        .contains("request %s, key %d: its key has served".formatted(again.requestId(), idOf(use)));
    assertThat(withheldKey(again)).isEqualTo(idOf(use));
    assertThat(withheldKey(andAgain)).isEqualTo(idOf(use));
  }

  private static long withheldKey(SignRequest request) throws Exception {
    return database
        .sql()
        .count(
            "SELECT coalesce(withheld_key_id, -1) FROM sign_request WHERE request_id = '%s'"
                .formatted(request.requestId()));
  }

  @Test
  void aFailureThatNamesAKnownRowKeepsItsReasonAndDoesNotNameIt() throws Exception {
    writer.start();
    KeyUse use = RecordsDatabase.newKeyUse();
    ended(onRecord(), RecordsDatabase.signedWith(use)).get(20, SECONDS);
    SignRequest second = onRecord();

    assertThat(
            ended(second, new SignOutcome.Failed(FailureReason.KEY_REFUSED, "refused", use))
                .get(20, SECONDS))
        .isInstanceOfSatisfying(
            SignOutcome.Failed.class,
            failed -> assertThat(failed.reason()).isEqualTo(FailureReason.KEY_REFUSED));
    assertThat(
            database
                .sql()
                .count(
                    "SELECT coalesce(key_id, -1) FROM sign_request WHERE request_id = '%s'"
                        .formatted(second.requestId())))
        .isEqualTo(-1);
  }

  @Test
  void oneEntryThatTheDatabaseRefusesSpoilsNoOther(CapturedOutput output) throws Exception {
    SignRequest poisoned = SampleRequests.withCaller("CN=" + SampleRequests.CITIZEN + "\u0000");
    List<CompletableFuture<Boolean>> healthy = new ArrayList<>();
    healthy.add(received(SampleRequests.any()));
    CompletableFuture<Boolean> refused = received(poisoned);
    healthy.add(received(SampleRequests.any()));
    writer.start();

    for (CompletableFuture<Boolean> intent : healthy) {
      assertThat(intent.get(20, SECONDS)).isTrue();
    }
    assertFailsWithRecordException(refused);
    assertThat(output).contains(poisoned.requestId().toString());
    assertThat(output).doesNotContain(SampleRequests.CITIZEN);
  }

  @Test
  void whatARefusedOutcomeHeldIsNotLogged(CapturedOutput output) throws Exception {
    writer.start();
    SignRequest request = onRecord();
    KeyUse use = RecordsDatabase.newKeyUse();
    String personal = "serial of " + SampleRequests.CITIZEN + "\u0000";

    assertFailsWithRecordException(
        ended(
            request,
            new SignOutcome.Signed(
                List.of(new byte[] {1}),
                List.of(),
                new IssuedCertificate(new byte[] {2}, personal, RecordsDatabase.CHAIN),
                use)));
    assertThat(output).contains(request.requestId().toString()).contains("returned 0");
    assertThat(output).doesNotContain(SampleRequests.CITIZEN);

    // The next transaction closes it.
    onRecord();
    assertClosedAsUnrecorded(request);
  }

  @Test
  void aLostConnectionFailsWhoWaitsAndTheNextTransactionClosesThem() throws Exception {
    writer.start();
    SignRequest request = onRecord();
    CompletableFuture<SignOutcome> outcome;
    try (Connection blocker = database.administrator();
        Statement statement = blocker.createStatement()) {
      blocker.setAutoCommit(false);
      statement.execute("LOCK TABLE sign_request IN EXCLUSIVE MODE");
      outcome = ended(request, RecordsDatabase.signedWith(RecordsDatabase.newKeyUse()));
      await().until(() -> terminateBlocked(statement) == 1);
      blocker.rollback();
      blocker.setAutoCommit(true);
    }

    assertFailsWithRecordException(outcome);
    // At the latest by this one: the writer tries by itself whether the database is back.
    onRecord();
    assertClosedAsUnrecorded(request);
  }

  private static int terminateBlocked(Statement statement) throws Exception {
    try (var rows =
        statement.executeQuery(
            """
            SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'
            """)) {
      rows.next();
      return rows.getInt(1);
    }
  }

  /** Otherwise nobody accounts for the key before the next start. */
  @Test
  void whoClosesARequestWhoseOutcomeWasLostClosesItsKeysLedger() throws Exception {
    writer.start();
    KeyUse use = RecordsDatabase.newKeyUse();
    claim(use);
    SignRequest request = onRecord();
    dataSource.loseNextCommit();
    assertThat(claimed(use)).isEqualTo(1);
    assertFailsWithRecordException(ended(request, RecordsDatabase.signedWith(use)));

    onRecord();

    assertThat(closedUnrecorded).hasValue(1);
    assertClosedAsUnrecorded(request);
    assertThat(claimed(use)).isZero();
    assertThat(withheldKey(request)).isEqualTo(idOf(use));
  }

  @Test
  void theLedgerOfAnotherInstanceStays() throws Exception {
    writer.start();
    KeyUse use = RecordsDatabase.newKeyUse();
    claim(use, "another");
    SignRequest request = onRecord();
    dataSource.loseNextCommit();
    assertFailsWithRecordException(ended(request, RecordsDatabase.signedWith(use)));
    onRecord();
    assertThat(claimed(use)).isEqualTo(1);

    ended(onRecord(), RecordsDatabase.signedWith(use)).get(20, SECONDS);
    assertThat(claimed(use)).isEqualTo(1);
  }

  /** The caller came back to another instance, which is at work on the request. */
  @Test
  void anIntentThatWasLostClosesNoRequestOfAnotherInstance() throws Exception {
    writer.start();
    SignRequest request = SampleRequests.any();
    dataSource.loseNextCommit();
    assertFailsWithRecordException(received(request));
    RecordWriter another = database.writer("another");
    another.start();
    assertThat(another.received(request, SampleRequests.receivedNow()).get(20, SECONDS)).isTrue();

    onRecord();

    assertThat(outcome(request)).isNull();
    CompletableFuture<SignOutcome> outcome = new CompletableFuture<>();
    SignOutcome signed = RecordsDatabase.signedWith(RecordsDatabase.newKeyUse());
    another.ended(request, SampleRequests.passedAll(), signed, outcome);
    assertThat(outcome.get(20, SECONDS)).isSameAs(signed);
    another.finish(RecordsDatabase.LIMIT);
  }

  /** Such a driver joins inserts and tells of each "no information" (-2). */
  @Test
  void noRequestIsTakenForKnownWhenTheDriverDoesNotTell() throws Exception {
    try (HikariDataSource rewriting = database.rewritingBatches()) {
      RecordWriter unsure = database.writer(rewriting, "unsure");
      List<CompletableFuture<Boolean>> intents = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        intents.add(unsure.received(SampleRequests.any(), SampleRequests.receivedNow()));
      }
      unsure.start();
      for (CompletableFuture<Boolean> intent : intents) {
        assertThat(intent.get(20, SECONDS)).isTrue();
      }
      unsure.finish(RecordsDatabase.LIMIT);
    }
  }

  @Test
  void anOutcomeWhoseCommitIsUncertainStandsIfItTookEffect() throws Exception {
    writer.start();
    SignRequest request = onRecord();
    dataSource.loseNextAnswer();

    assertFailsWithRecordException(
        ended(request, RecordsDatabase.signedWith(RecordsDatabase.newKeyUse())));
    onRecord();
    assertThat(outcome(request)).isInstanceOf(SignOutcome.Signed.class);
  }

  /** Were the id closed after it is taken again, its signature would leave without a record. */
  @Test
  void anIntentWhoseCommitWasLostDoesNotCloseItsSuccessor() throws Exception {
    writer.start();
    SignRequest request = SampleRequests.any();
    dataSource.loseNextCommit();
    assertFailsWithRecordException(received(request));

    assertThat(received(request).get(20, SECONDS)).isTrue();
    assertThat(outcome(request)).isNull();
    SignOutcome signed = RecordsDatabase.signedWith(RecordsDatabase.newKeyUse());
    assertThat(ended(request, signed).get(20, SECONDS)).isSameAs(signed);
    assertThat(outcome(request)).isInstanceOf(SignOutcome.Signed.class);
  }

  @Test
  void anIntentWhoseCommitIsUncertainIsClosedIfItTookEffect() throws Exception {
    writer.start();
    SignRequest request = SampleRequests.any();
    dataSource.loseNextAnswer();
    assertFailsWithRecordException(received(request));

    assertThat(received(request).get(20, SECONDS)).isFalse();
    assertClosedAsUnrecorded(request);
  }

  @Test
  void anIntentThatCertainlyDidNotTakeEffectMayBeTriedAgain() throws Exception {
    writer.start();
    SignRequest request = SampleRequests.any();
    dataSource.failNext(new IllegalStateException("a defect"));
    assertFailsWithRecordException(received(request));

    assertThat(received(request).get(20, SECONDS)).isTrue();
    assertThat(outcome(request)).isNull();
    SignOutcome expired = new SignOutcome.Expired();
    assertThat(ended(request, expired).get(20, SECONDS)).isSameAs(expired);
  }

  /** An instance that was frozen and taken for gone still has its loaded keys when it wakes. */
  @Test
  void aKeyThatWasForfeitedBeforeItSignedIsAccountedFor() throws Exception {
    writer.start();
    SignRequest request = onRecord();
    KeyUse use = RecordsDatabase.newKeyUse();
    claim(use);
    try (Connection heir = database.dataSource().getConnection()) {
      assertThat(new Estate(heir, "heir").forfeit("writer")).isPositive();
    }
    long before = corrected();

    assertThat(ended(request, RecordsDatabase.signedWith(use)))
        .succeedsWithin(20, SECONDS)
        .isInstanceOf(SignOutcome.Signed.class);

    assertThat(corrected() - before)
        .as("one record of a key that was not counted as used")
        .isEqualTo(-1);
  }

  private long corrected() throws SQLException {
    return database.sql().count("SELECT coalesce(sum(records), 0) FROM record_correction");
  }

  @Test
  void nothingIsReleasedForARequestThatAnotherClosed(CapturedOutput output) throws Exception {
    writer.start();
    SignRequest request = onRecord();
    int _ = database.closeInFlight("writer");
    KeyUse use = RecordsDatabase.newKeyUse();
    claim(use);

    assertFailsWithRecordException(ended(request, RecordsDatabase.signedWith(use)));
    assertThat(claimed(use)).isZero();
    assertThat(output)
        .contains(
            "request %s: destroying its key (%d) returned 0"
                .formatted(request.requestId(), idOf(use)));
    assertThat(outcome(request))
        .isInstanceOfSatisfying(
            SignOutcome.Failed.class,
            failed -> assertThat(failed.reason()).isEqualTo(FailureReason.INTERRUPTED));
  }

  @Test
  void finishesWhatWaitsAndRefusesWhatComesLater() throws Exception {
    CompletableFuture<Boolean> early = received(SampleRequests.any());
    writer.start();
    writer.finish(RecordsDatabase.LIMIT);
    assertThat(early).isCompletedWithValue(true);

    assertFailsWithRecordException(received(SampleRequests.any()));
    assertFailsWithRecordException(ended(SampleRequests.any(), new SignOutcome.Expired()));
  }

  /** Metrics, logs and those who wait are slow at times, and the disk must not wait for them. */
  @Test
  void commitsOnWhileItIsToldWhatCameOfTheLastOnes() throws Exception {
    writer.start();
    CountDownLatch told = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    CompletableFuture<Void> slow = slowlyTold(told, go);
    SignRequest next = SampleRequests.any();
    CompletableFuture<Boolean> later;
    try {
      assertThat(told.await(20, SECONDS)).isTrue();
      later = received(next);
      await().until(() -> records.find(next.requestId()).isPresent());
      assertThat(later).isNotDone();
    } finally {
      go.countDown();
    }

    slow.get(20, SECONDS);
    assertThat(later.get(20, SECONDS)).isTrue();
  }

  @Test
  void finishesOnceAllIsTold() throws Exception {
    writer.start();
    CountDownLatch told = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    CompletableFuture<Void> slow = slowlyTold(told, go);
    assertThat(told.await(20, SECONDS)).isTrue();
    List<CompletableFuture<Boolean>> later = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      later.add(received(SampleRequests.any()));
    }
    CompletableFuture<Void> finished = CompletableFuture.runAsync(this::finishWriter);
    await().until(() -> writer.waiting() == 0);
    assertThat(finished).isNotDone();
    go.countDown();

    finished.get(20, SECONDS);
    slow.get(20, SECONDS);
    assertThat(later).allMatch(intent -> intent.isDone() && intent.join());
  }

  /** An intent on record, whose caller takes until the latch opens to hear of it. */
  private CompletableFuture<Void> slowlyTold(CountDownLatch told, CountDownLatch go)
      throws Exception {
    CountDownLatch commit = new CountDownLatch(1);
    dataSource.holdCommits(commit);
    CompletableFuture<Void> slow =
        received(SampleRequests.any())
            .thenRun(() -> {
              told.countDown();
              try {
                assertThat(go.await(20, SECONDS)).isTrue();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            });
    commit.countDown();
    return slow;
  }

  private void finishWriter() {
    try {
      writer.finish(RecordsDatabase.LIMIT);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void anIntentDoesNotWaitForRoomForEver() throws Exception {
    RecordWriter small = database.writer(dataSource, "writer", 2, closed -> {});
    CompletableFuture<Boolean> first =
        small.received(SampleRequests.any(), SampleRequests.receivedNow());
    CompletableFuture<Boolean> second =
        small.received(SampleRequests.any(), SampleRequests.receivedNow());
    assertThat(small.waiting()).isEqualTo(small.limit()).isEqualTo(2);

    assertThat(small.received(SampleRequests.any(), SampleRequests.receivedNow()))
        .failsWithin(20, SECONDS)
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(RecordQueueFullException.class)
        .withMessageContaining("keywell.database.record-queue-limit is reached: 2");
    small.start();
    assertThat(first.get(20, SECONDS)).isTrue();
    assertThat(second.get(20, SECONDS)).isTrue();
    small.finish(RecordsDatabase.LIMIT);
  }

  private CompletableFuture<Boolean> received(SignRequest request) throws InterruptedException {
    return writer.received(request, SampleRequests.receivedNow());
  }

  private CompletableFuture<SignOutcome> ended(SignRequest request, SignOutcome outcome)
      throws InterruptedException {
    RequestTimes times =
        outcome instanceof SignOutcome.Signed ? SampleRequests.passedAll() : SampleRequests.ended();
    CompletableFuture<SignOutcome> durable = new CompletableFuture<>();
    writer.ended(request, times, outcome, durable);
    return durable;
  }

  private SignRequest onRecord() throws Exception {
    SignRequest request = SampleRequests.any();
    assertThat(received(request).get(20, SECONDS)).isTrue();
    return request;
  }

  private @Nullable SignOutcome outcome(SignRequest request) {
    return records.find(request.requestId()).orElseThrow().outcome();
  }

  private void assertClosedAsUnrecorded(SignRequest request) {
    assertThat(outcome(request))
        .isInstanceOfSatisfying(
            SignOutcome.Failed.class,
            failed -> assertThat(failed.reason()).isEqualTo(FailureReason.RECORD_UNAVAILABLE));
  }

  private static void assertFailsWithRecordException(CompletableFuture<?> future) {
    assertThat(future)
        .failsWithin(20, SECONDS)
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(RecordException.class);
  }

  private static void claim(KeyUse use) throws Exception {
    claim(use, "writer");
  }

  private static void claim(KeyUse use, String instance) throws Exception {
    database
        .sql()
        .update(
            "INSERT INTO claimed_key (id, key_spec, instance) VALUES (%d, 'EC-P256', '%s')"
                .formatted(idOf(use), instance));
  }

  private static long claimed(KeyUse use) throws Exception {
    return database
        .sql()
        .count("SELECT count(*) FROM claimed_key WHERE id = %d".formatted(idOf(use)));
  }

  private static long idOf(KeyUse use) {
    if (use.keyId() == null) {
      throw new AssertionError("no pool row");
    }
    return use.keyId();
  }
}
