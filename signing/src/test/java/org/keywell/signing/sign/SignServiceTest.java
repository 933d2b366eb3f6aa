package org.keywell.signing.sign;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.fake.Operation;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.caller.Role;
import org.keywell.signing.database.DatabaseException;
import org.keywell.signing.record.RecordWriter;
import org.keywell.signing.record.RecordsDatabase;
import org.keywell.signing.record.SignRecord;
import org.keywell.signing.record.SignRecords;
import org.keywell.signing.request.FailureReason;
import org.keywell.signing.request.Refusal;
import org.keywell.signing.request.RefusedException;
import org.keywell.signing.request.SampleRequests;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SignRequest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
@Tag("postgresql")
final class SignServiceTest {

  private static final RecordsDatabase database = new RecordsDatabase();

  private final ServiceParts parts = new ServiceParts(database);
  private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();

  @AfterAll
  static void stopDatabase() {
    database.close();
  }

  @AfterEach
  void close() throws Exception {
    parts.close();
    callers.shutdown();
    assertThat(callers.awaitTermination(20, SECONDS)).isTrue();
    assertThat(parts.atHand).hasValue(0);
    assertThat(parts.queue.length()).isZero();
  }

  @Test
  void answersWithWhatIsOnRecord() throws Exception {
    parts.withKeys(1).threads.start();
    SignRequest request = SampleRequests.any();

    SignRecord answer = sign(request).get(20, SECONDS);

    assertThat(answer)
        .usingRecursiveComparison()
        .isEqualTo(parts.records.find(request.requestId()).orElseThrow());
    assertThat(answer.outcome()).isInstanceOf(SignOutcome.Signed.class);
  }

  @Test
  void duplicatesAtOnceGetOneSignatureAndTheSameAnswer() throws Exception {
    parts.withKeys(50).threads.start();
    UUID id = UUID.randomUUID();
    CountDownLatch go = new CountDownLatch(1);
    List<Future<SignRecord>> answers = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      answers.add(
          callers.submit(() -> {
            go.await();
            return parts.service.sign(SampleRequests.of(id, 1), SampleRequests.receivedNow());
          }));
    }
    go.countDown();

    byte[] signature = signed(answers.getFirst()).signatures().getFirst();
    for (Future<SignRecord> answer : answers) {
      assertThat(signed(answer).signatures().getFirst()).isEqualTo(signature);
    }
    assertThat(parts.device.hsm.faults().calls(Operation.SIGN)).isEqualTo(1);
    assertThat(parts.device.loaded()).isEqualTo(49);
  }

  @Test
  void anAnswerThatIsReadBackTellsItsPlaceInTheLog() throws Exception {
    parts.withKeys(1).threads.start();
    SignRequest request = SampleRequests.any();
    assertThat(sign(request).get(20, SECONDS).logIndex()).isNull();
    assertThat(sign(request).get(20, SECONDS).logIndex()).as("has no place yet").isNull();

    parts.logIndexes.put(request.requestId(), 7L);

    assertThat(sign(request).get(20, SECONDS).logIndex()).isEqualTo(7);
    assertThat(parts.service.find(request.requestId(), Caller.onLoopback()).logIndex())
        .isEqualTo(7);
  }

  @Test
  void anAnswerDoesNotDependOnTheLog() throws Exception {
    parts.withKeys(1).threads.start();
    SignRequest request = SampleRequests.any();
    signed(sign(request));
    SignService service =
        new SignService(
            parts.admission,
            parts.writer,
            parts.records,
            new CallerReads(ServiceParts.READS_AT_ONCE),
            SignListener.NONE,
            ServiceParts.ANSWER_GRACE,
            id -> {
              throw new DatabaseException("the log cannot be read", new SQLException());
            });

    SignRecord found = service.find(request.requestId(), Caller.onLoopback());

    assertThat(found.outcome()).isInstanceOf(SignOutcome.Signed.class);
    assertThat(found.logIndex()).isNull();
  }

  /** The second one meets the first while that learns that its id has an answer already. */
  @Test
  void duplicatesAtOnceOfAnEarlierRequestGetItsAnswer() throws Exception {
    parts.withKeys(2).threads.start();
    SignRequest request = SampleRequests.any();
    byte[] signature = signed(sign(request)).signatures().getFirst();
    CountDownLatch go = new CountDownLatch(1);
    parts.dataSource.holdCommits(go);
    Future<SignRecord> one = sign(request);
    parts.dataSource.awaitHeld();
    Future<SignRecord> two = sign(request);
    Future<SignRecord> other = sign(SampleRequests.of(request.requestId(), 2));
    assertProblem(other, Refusal.Reason.REQUEST_ID_REUSED);
    go.countDown();

    assertThat(signed(one).signatures().getFirst()).isEqualTo(signature);
    assertThat(signed(two).signatures().getFirst()).isEqualTo(signature);
  }

  @Test
  void anIdWithOtherContentIsRefusedAlsoLater() throws Exception {
    parts.withKeys(1).threads.start();
    UUID id = UUID.randomUUID();
    signed(sign(SampleRequests.of(id, 1)));

    assertProblem(sign(SampleRequests.of(id, 2)), Refusal.Reason.REQUEST_ID_REUSED);
  }

  @Test
  void aTicketServesOneRequest() throws Exception {
    parts.withKeys(2).threads.start();
    UUID ticket = UUID.randomUUID();
    SignRequest first = SampleRequests.with(UUID.randomUUID(), ticket);
    SignRequest second = SampleRequests.with(UUID.randomUUID(), ticket);
    byte[] signature = signed(sign(first)).signatures().getFirst();

    assertProblem(sign(second), Refusal.Reason.PROOF_REPLAYED);
    assertThat(parts.records.find(second.requestId())).isEmpty();
    assertThat(parts.device.hsm.faults().calls(Operation.SIGN)).isEqualTo(1);
    assertThat(signed(sign(first)).signatures().getFirst()).isEqualTo(signature);
  }

  @Test
  void anotherCallerLearnsNothingOfAnId() throws Exception {
    parts.withKeys(1).threads.start();
    UUID id = UUID.randomUUID();
    SignRequest mine = SampleRequests.of(id, 1, "CN=front-end 1");
    signed(sign(mine));

    assertProblem(sign(SampleRequests.of(id, 1, "CN=front-end 2")), Refusal.Reason.REQUEST_UNKNOWN);
    assertProblem(sign(SampleRequests.of(id, 2, "CN=front-end 2")), Refusal.Reason.REQUEST_UNKNOWN);
    RefusedException unknown =
        catchThrowableOfType(
            RefusedException.class,
            () -> parts.service.find(id, SampleRequests.caller("CN=front-end 2")));
    assertThat(unknown.refusal().reason()).isEqualTo(Refusal.Reason.REQUEST_UNKNOWN);
    signed(sign(mine));
    assertThat(parts.service.find(id, SampleRequests.caller("CN=front-end 1")).outcome())
        .isInstanceOf(SignOutcome.Signed.class);
  }

  @Test
  void whoMayReadAllReadsAnyCallersResult() throws Exception {
    parts.withKeys(1).threads.start();
    UUID id = UUID.randomUUID();
    SignRequest mine = SampleRequests.of(id, 1, "front-end");
    signed(sign(mine));

    assertThat(parts.service.find(id, SampleRequests.caller("auditor", Role.READ)).outcome())
        .isInstanceOf(SignOutcome.Signed.class);
    for (Role other : EnumSet.complementOf(EnumSet.of(Role.READ))) {
      RefusedException unknown =
          catchThrowableOfType(
              RefusedException.class,
              () -> parts.service.find(id, SampleRequests.caller("auditor", other)));
      assertThat(unknown.refusal().reason())
          .as(other.label())
          .isEqualTo(Refusal.Reason.REQUEST_UNKNOWN);
    }
  }

  @Test
  void anotherCallerLearnsNothingOfAnIdThatIsWorkedOn() throws Exception {
    parts.withKeys(1);
    UUID id = UUID.randomUUID();
    SignRequest other = SampleRequests.of(id, 1, "CN=front-end 2");
    CountDownLatch go = new CountDownLatch(1);
    parts.dataSource.holdCommits(go);
    Future<SignRecord> mine = sign(SampleRequests.of(id, 1, "CN=front-end 1"));
    parts.dataSource.awaitHeld();
    try {
      assertProblem(sign(other), Refusal.Reason.REQUEST_UNKNOWN);
    } finally {
      go.countDown();
    }
    await().until(() -> parts.records.find(id).isPresent());
    assertProblem(sign(other), Refusal.Reason.REQUEST_UNKNOWN);

    parts.threads.start();
    signed(mine);
  }

  @Test
  void aFullQueueKeepsNothing() throws Exception {
    parts.withKeys(ServiceParts.QUEUE_LIMIT);
    List<Future<SignRecord>> accepted = new ArrayList<>();
    for (int i = 0; i < ServiceParts.QUEUE_LIMIT; i++) {
      accepted.add(sign(SampleRequests.any()));
    }
    await().until(() -> parts.queue.length() == ServiceParts.QUEUE_LIMIT);
    SignRequest refused = SampleRequests.any();

    assertProblem(sign(refused), Refusal.Reason.QUEUE_FULL);
    assertThat(parts.records.find(refused.requestId())).isEmpty();

    parts.threads.start();
    for (Future<SignRecord> answer : accepted) {
      signed(answer);
    }
    parts.awaitIdle();
    // Its id is free again.
    parts.withKeys(1);
    signed(sign(refused));
  }

  @Test
  void withoutARecordThereIsNoSignatureAndNoKeyIsSpent(CapturedOutput output) throws Exception {
    parts.withKeys(1).threads.start();
    SignRequest request = SampleRequests.any();
    parts.dataSource.failNext(new IllegalStateException("a defect"));

    assertProblem(sign(request), Refusal.Reason.RECORD_UNAVAILABLE);
    parts.awaitIdle();
    assertThat(parts.device.loaded()).isEqualTo(1);
    assertThat(output).doesNotContain(SampleRequests.CITIZEN);
    signed(sign(request));
  }

  @Test
  void anOutcomeThatIsNotOnRecordIsNotReleased() throws Exception {
    parts.withKeys(2);
    SignRequest request = SampleRequests.any();
    Future<SignRecord> answer = sign(request);
    await().until(() -> parts.records.find(request.requestId()).isPresent());
    parts.dataSource.failNext(new IllegalStateException("a defect"));
    parts.threads.start();

    assertProblem(answer, Refusal.Reason.RECORD_UNAVAILABLE);
    parts.awaitIdle();
    assertThat(parts.device.hsm.faults().calls(Operation.SIGN)).isEqualTo(1);
    signed(sign(SampleRequests.any()));
    assertThat(signedOrFailed(request)).isEqualTo(FailureReason.RECORD_UNAVAILABLE);
    // A repeat is told so, and gets no second signature.
    assertThat(sign(request).get(20, SECONDS).outcome()).isInstanceOf(SignOutcome.Failed.class);
  }

  private FailureReason signedOrFailed(SignRequest request) {
    SignOutcome outcome = outcome(parts.records.find(request.requestId()).orElseThrow());
    assertThat(outcome).isInstanceOf(SignOutcome.Failed.class);
    return ((SignOutcome.Failed) outcome).reason();
  }

  /** Its record stands as received, so somebody must work on it. */
  @Test
  void aCallerThatIsInterruptedLeavesItsRequestRunning() throws Exception {
    parts.withKeys(1).threads.start();
    SignRequest request = SampleRequests.any();
    CountDownLatch go = new CountDownLatch(1);
    parts.dataSource.holdCommits(go);
    Future<SignRecord> answer = sign(request);
    parts.dataSource.awaitHeld();
    answer.cancel(true);
    go.countDown();

    await()
        .until(() ->
            parts.records.find(request.requestId()).map(SignRecord::outcome).orElse(null)
                instanceof SignOutcome.Signed);
    parts.awaitIdle();
  }

  @Test
  void expiredInTheQueueSpendsNoKey() throws Exception {
    parts.withKeys(1);
    SignRequest request = SampleRequests.withDeadline(Duration.ofNanos(1));
    Future<SignRecord> answer = sign(request);
    parts.threads.start();

    assertThat(answer.get(20, SECONDS).outcome()).isEqualTo(new SignOutcome.Expired());
    assertThat(parts.device.loaded()).isEqualTo(1);
    assertThat(parts.device.hsm.faults().calls(Operation.SIGN)).isZero();
  }

  @Test
  void aDefectEndsOneRequestAndNotTheThread() throws Exception {
    parts.withKeys(3).threads.start();
    parts.device.ca.fail(new IllegalStateException("a defect"));
    assertFailed(sign(SampleRequests.any()), FailureReason.INTERNAL);
    // A pool that knows no such key: a defect before there is a lease.
    SignRequest unserved = SampleRequests.unserved();
    assertFailed(sign(unserved), FailureReason.INTERNAL);

    parts.device.ca.recover();
    signed(sign(SampleRequests.any()));
    parts.awaitIdle();
  }

  @Test
  void everyWayToFailLeavesTheDeviceIdle() throws Exception {
    parts.withKeys(2).threads.start();
    parts.device.hsm.faults().fail(Operation.SIGN, Reason.UNAVAILABLE);
    assertFailed(sign(SampleRequests.any()), FailureReason.HSM_UNAVAILABLE);
    parts.device.hsm.faults().healAll();
    signed(sign(SampleRequests.any()));
    parts.device.storeIsDry();
    assertFailed(sign(SampleRequests.any()), FailureReason.POOL_EMPTY);

    parts.awaitIdle();
  }

  @Test
  void shutdownFinishesWhatWasAccepted() throws Exception {
    parts.withKeys(10);
    List<Future<SignRecord>> accepted = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      accepted.add(sign(SampleRequests.any()));
    }
    await().until(() -> parts.queue.length() == 10);
    parts.threads.start();
    parts.stop();

    for (Future<SignRecord> answer : accepted) {
      signed(answer);
    }
    assertProblem(sign(SampleRequests.any()), Refusal.Reason.SHUTTING_DOWN);
  }

  @Test
  void aReceiptThatFindsNoRoomNamesTheSetting() throws Exception {
    parts.withKeys(1);
    RecordWriter small = database.writer(parts.dataSource, "test", 1, closed -> {});
    SignService service =
        new SignService(
            parts.admission,
            small,
            parts.records,
            new CallerReads(ServiceParts.READS_AT_ONCE),
            SignListener.NONE,
            ServiceParts.ANSWER_GRACE,
            id -> Optional.empty());
    Future<SignRecord> waits =
        callers.submit(() -> service.sign(SampleRequests.any(), SampleRequests.receivedNow()));
    await().until(() -> small.waiting() == 1);

    RefusedException refused =
        catchThrowableOfType(
            RefusedException.class,
            () -> service.sign(SampleRequests.any(), SampleRequests.receivedNow()));

    assertThat(refused.refusal().reason()).isEqualTo(Refusal.Reason.RECORD_UNAVAILABLE);
    assertThat(refused.refusal().detail())
        .isEqualTo("keywell.database.record-queue-limit is reached: 1");
    assertThat(parts.queue.length()).isEqualTo(1);
    small.start();
    parts.threads.start();
    signed(waits);
    small.finish(RecordsDatabase.LIMIT);
  }

  /** A flood of reads is refused as any other, and is no failure of the database. */
  @Test
  void aReadThatFindsNoConnectionIsRefusedQuietly(CapturedOutput output) throws Exception {
    try (HikariDataSource one = new HikariDataSource()) {
      one.setJdbcUrl(database.dataSource().getJdbcUrl());
      one.setUsername(database.dataSource().getUsername());
      one.setPassword(database.dataSource().getPassword());
      one.setMaximumPoolSize(1);
      one.setConnectionTimeout(250);
      SignService service =
          new SignService(
              parts.admission,
              parts.writer,
              new SignRecords(one),
              new CallerReads(ServiceParts.READS_AT_ONCE),
              SignListener.NONE,
              ServiceParts.ANSWER_GRACE,
              id -> Optional.empty());
      try (Connection _ = one.getConnection()) {
        RefusedException refused =
            catchThrowableOfType(
                RefusedException.class, () -> service.find(UUID.randomUUID(), Caller.onLoopback()));

        assertThat(refused.refusal().reason()).isEqualTo(Refusal.Reason.READS_BUSY);
        assertThat(refused.refusal().detail()).contains("keywell.database.max-connections");
        assertThat(refused.refusal().retryAfter()).isNotNull();
        assertThat(output).doesNotContain("ERROR");
      }
    }
  }

  private Future<SignRecord> sign(SignRequest request) {
    return callers.submit(() -> parts.service.sign(request, SampleRequests.receivedNow()));
  }

  private static SignOutcome.Signed signed(Future<SignRecord> answer) throws Exception {
    SignOutcome outcome = outcome(answer.get(20, SECONDS));
    assertThat(outcome).isInstanceOf(SignOutcome.Signed.class);
    return (SignOutcome.Signed) outcome;
  }

  private static SignOutcome outcome(SignRecord record) {
    @Nullable SignOutcome outcome = record.outcome();
    if (outcome == null) {
      throw new AssertionError("still open");
    }
    return outcome;
  }

  private static void assertFailed(Future<SignRecord> answer, FailureReason reason)
      throws Exception {
    assertThat(answer.get(20, SECONDS).outcome())
        .isInstanceOfSatisfying(
            SignOutcome.Failed.class, failed -> assertThat(failed.reason()).isEqualTo(reason));
  }

  private static void assertProblem(Future<SignRecord> answer, Refusal.Reason type) {
    ExecutionException failure =
        catchThrowableOfType(ExecutionException.class, () -> answer.get(20, SECONDS));
    assertThat(failure.getCause())
        .isInstanceOfSatisfying(
            RefusedException.class, e -> assertThat(e.refusal().reason()).isEqualTo(type));
  }
}
