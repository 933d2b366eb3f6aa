package org.keywell.signing.sign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.fake.Operation;
import org.keywell.settings.EmptyPoolPolicy;
import org.keywell.settings.PoolMode;
import org.keywell.signing.act.ActService;
import org.keywell.signing.act.OpenActs;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.caller.CallerLimits;
import org.keywell.signing.caller.IdentityPolicy;
import org.keywell.signing.caller.Role;
import org.keywell.signing.record.RecordsDatabase;
import org.keywell.signing.record.SignRecord;
import org.keywell.signing.request.FailureReason;
import org.keywell.signing.request.Refusal;
import org.keywell.signing.request.RefusedException;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.SampleRequests;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SignRequest;
import org.keywell.signing.request.SigningForm;
import org.keywell.testkit.ManualTime;

/** Acts between their calls, by a clock that the test moves, on a device with faults. */
@Timeout(60)
@Tag("postgresql")
final class OpenActsTest {

  private static final Duration TIME_TO_LIVE = Duration.ofSeconds(60);
  private static final int MAX_OPEN = 4;
  private static final byte[] DIGEST = new byte[32];

  private final RecordsDatabase database = new RecordsDatabase();
  private final ServiceParts parts = new ServiceParts(database);
  private final ManualTime time = new ManualTime();
  private final OpenActs acts =
      new OpenActs(
          MAX_OPEN,
          parts.writer,
          parts.device.cycle(PoolMode.POOLED, EmptyPoolPolicy.REFUSE),
          parts.device.pools,
          SignListener.NONE,
          time,
          time);
  private final ActService service =
      new ActService(parts.service, acts, parts.admission, parts.writer, "test");

  @BeforeEach
  void start() {
    parts.withKeys(6).threads.start();
  }

  @AfterEach
  void close() throws Exception {
    parts.close();
    database.close();
  }

  @Test
  void signsUntilTheLastMoment() throws Exception {
    SignRequest request = opened();
    time.advance(TIME_TO_LIVE.minusNanos(1_000_000));
    acts.look();

    assertThat(sign(request).outcome()).isInstanceOf(SignOutcome.Signed.class);
    assertThat(parts.device.hsm.countLiveKeys()).isEqualTo(5);
    await().until(() -> acts.count() == 0);
  }

  /** The thread has not looked yet: time decides, not the thread. */
  @Test
  void signsNothingFromThenOn() throws Exception {
    SignRequest request = opened();
    time.advance(TIME_TO_LIVE);
    long signed = parts.device.hsm.faults().calls(Operation.SIGN);

    assertThat(problem(request)).isEqualTo(Refusal.Reason.ACT_EXPIRED);
    assertThat(parts.device.hsm.countLiveKeys()).isEqualTo(6);
    acts.look();

    assertThat(parts.device.hsm.countLiveKeys()).as("its key is destroyed").isEqualTo(5);
    SignOutcome.Expired expired =
        (SignOutcome.Expired) awaitEnd(request, SignOutcome.Expired.class);
    assertThat(expired.issued()).isNotNull();
    assertThat(expired.keyUse())
        .isNotNull()
        .satisfies(use -> assertThat(use.destruction()).isEqualTo(Destruction.DONE));
    assertThat(parts.device.hsm.faults().calls(Operation.SIGN)).isEqualTo(signed);
  }

  /** A calendar that is set, either way, changes nothing. */
  @Test
  void elapsedTimeDecides() throws Exception {
    SignRequest request = opened();
    time.setBack(Duration.ofHours(-5));
    acts.look();

    assertThat(sign(request).outcome()).isInstanceOf(SignOutcome.Signed.class);
  }

  @Test
  void aCallerHasItsShareOfThePlaces() throws Exception {
    open(ofHalf("half"));
    open(ofHalf("half"));

    RefusedException refused =
        catchThrowableOfType(RefusedException.class, () -> open(ofHalf("half")));
    assertThat(refused.refusal().reason()).isEqualTo(Refusal.Reason.ACT_SHARE);
    open(ofHalf("other"));
    assertThat(acts.count()).isEqualTo(3);
    acts.close();
    acts.look();
    await().until(() -> acts.count() == 0);
  }

  /** No record of the digests, no signature; the act stands open. */
  @Test
  void whileTheDatabaseIsAwayItStaysOpen() throws Exception {
    SignRequest request = opened();
    parts.dataSource.away(true);

    assertThat(problem(request)).isEqualTo(Refusal.Reason.RECORD_UNAVAILABLE);
    parts.dataSource.away(false);
    await().until(() -> !parts.writer.isStuck());

    assertThat(sign(request).outcome()).isInstanceOf(SignOutcome.Signed.class);
  }

  /** The key of an act whose opening is not on record is destroyed. */
  @Test
  void anActThatIsNotOnRecordEnds() throws Exception {
    SignRequest request = act(SampleRequests.any());
    parts.device.hsm.faults().hang(Operation.SIGN);
    CompletableFuture<Refusal.Reason> refused =
        CompletableFuture.supplyAsync(() ->
            catchThrowableOfType(RefusedException.class, () -> open(request)).refusal().reason());
    parts.device.hsm.faults().awaitHanging(Operation.SIGN, 1);
    parts.dataSource.away(true);
    parts.device.hsm.faults().healAll();
    await()
        .until(() -> {
          acts.look();
          return refused.isDone();
        });

    assertThat(refused.get()).isEqualTo(Refusal.Reason.RECORD_UNAVAILABLE);
    assertThat(parts.device.hsm.countLiveKeys()).isEqualTo(5);
    await().until(() -> acts.count() == 0);
    parts.dataSource.away(false);
    awaitEnd(request, SignOutcome.Failed.class);
  }

  /** The commit took effect, and its answer was lost: nobody has been told of an open act. */
  @Test
  void anActThatMayBeOnRecordEnds() throws Exception {
    SignRequest request = act(SampleRequests.any());
    parts.device.hsm.faults().hang(Operation.SIGN);
    CompletableFuture<SignRecord> answer =
        CompletableFuture.supplyAsync(() -> {
          try {
            return service.open(request, new RequestTimes(time, time));
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
    parts.device.hsm.faults().awaitHanging(Operation.SIGN, 1);
    parts.dataSource.loseNextAnswer();
    parts.device.hsm.faults().healAll();
    await()
        .until(() -> {
          acts.look();
          return acts.count() == 0;
        });

    assertThat(answer.get(20, TimeUnit.SECONDS).outcome())
        .isInstanceOfSatisfying(
            SignOutcome.Failed.class,
            failed -> assertThat(failed.reason()).isEqualTo(FailureReason.RECORD_UNAVAILABLE));
    assertThat(onRecord(request)).isInstanceOf(SignOutcome.Failed.class);
    assertThat(parts.device.hsm.countLiveKeys()).isEqualTo(5);
  }

  /** The digests may be on record: the next ones take their place, since nothing was signed. */
  @Test
  void digestsThatMayBeOnRecordAreNotSignedUntilTheyComeAgain() throws Exception {
    SignRequest request = opened();
    long signed = parts.device.hsm.faults().calls(Operation.SIGN);
    parts.dataSource.loseNextAnswer();

    assertThat(problem(request)).isEqualTo(Refusal.Reason.RECORD_UNAVAILABLE);
    assertThat(parts.device.hsm.faults().calls(Operation.SIGN)).isEqualTo(signed);
    await().until(() -> !parts.writer.isStuck());

    assertThat(sign(request).outcome()).isInstanceOf(SignOutcome.Signed.class);
  }

  /** It is ended without the device, and its key destroyed when that goes on. */
  @Test
  void endsWhileTheDeviceHangs() throws Exception {
    SignRequest request = opened();
    time.advance(TIME_TO_LIVE);
    parts.device.hsm.faults().hang(Operation.DESTROY);
    CompletableFuture<Void> looking =
        CompletableFuture.runAsync(() -> {
          try {
            acts.look();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
    parts.device.hsm.faults().awaitHanging(Operation.DESTROY, 1);

    assertThat(acts.endWithoutDevice(Duration.ZERO)).isEqualTo(1);
    SignOutcome.Expired expired =
        (SignOutcome.Expired) awaitEnd(request, SignOutcome.Expired.class);
    assertThat(expired.keyUse())
        .isNotNull()
        .satisfies(use -> assertThat(use.destruction()).isEqualTo(Destruction.NOT_CALLED));
    parts.device.hsm.faults().healAll();
    looking.get(20, TimeUnit.SECONDS);

    assertThat(parts.device.hsm.countLiveKeys()).isEqualTo(5);
    assertThat(parts.device.late)
        .containsExactly(new DeviceParts.Late(request.requestId(), Destruction.DONE));
  }

  @Test
  void aSecondCallThatFailsInTheDeviceEndsTheAct() throws Exception {
    SignRequest request = opened();
    parts.device.hsm.faults().fail(Operation.SIGN, Reason.UNAVAILABLE);

    assertThat(sign(request).outcome())
        .isInstanceOfSatisfying(
            SignOutcome.Failed.class,
            failed -> {
              assertThat(failed.reason()).isEqualTo(FailureReason.HSM_UNAVAILABLE);
              assertThat(failed.issued()).isNotNull();
            });
    assertThat(parts.device.hsm.countLiveKeys()).isEqualTo(5);
  }

  private SignRequest opened() throws InterruptedException {
    SignRequest request = act(SampleRequests.any());
    open(request);
    return request;
  }

  private void open(SignRequest request) throws InterruptedException {
    SignRecord record = service.open(request, new RequestTimes(time, time));
    assertThat(record.outcome()).isInstanceOf(SignOutcome.Opened.class);
  }

  private SignRecord sign(SignRequest request) throws InterruptedException {
    return service.sign(
        request.requestId(),
        (_, _) -> List.of(DIGEST),
        request.caller(),
        new RequestTimes(time, time));
  }

  private Refusal.Reason problem(SignRequest request) {
    return catchThrowableOfType(RefusedException.class, () -> sign(request)).refusal().reason();
  }

  private SignOutcome awaitEnd(SignRequest request, Class<? extends SignOutcome> end) {
    await().until(() -> end.isInstance(onRecord(request)));
    return Objects.requireNonNull(onRecord(request));
  }

  private @Nullable SignOutcome onRecord(SignRequest request) {
    return parts.records.find(request.requestId()).orElseThrow().outcome();
  }

  /** Of a caller that may have half of the places. */
  private static SignRequest ofHalf(String name) {
    Caller caller =
        new Caller(
            name,
            Set.of(Role.SIGN),
            Set.of(),
            List.of(),
            IdentityPolicy.TRUSTED_CALLER,
            new CallerLimits(0, 0, 0, 50));
    return act(SampleRequests.any(), caller);
  }

  private static SignRequest act(SignRequest of) {
    return act(of, of.caller());
  }

  private static SignRequest act(SignRequest of, Caller caller) {
    return new SignRequest(
        UUID.randomUUID(),
        of.fingerprint(),
        new SigningForm.InTwoCalls(1, TIME_TO_LIVE),
        of.digestAlgorithm(),
        List.of(),
        of.scheme(),
        of.keySpec(),
        of.subject(),
        of.profile(),
        of.identity(),
        of.deadline(),
        caller,
        of.testId());
  }
}
