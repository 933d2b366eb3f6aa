package org.keywell.signing.sign;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.HsmHealth;
import org.keywell.keypool.hsm.fake.Operation;
import org.keywell.keypool.store.StoredKey;
import org.keywell.settings.EmptyPoolPolicy;
import org.keywell.settings.PoolMode;
import org.keywell.signing.record.RecordsDatabase;
import org.keywell.signing.record.SignRecord;
import org.keywell.signing.request.Container;
import org.keywell.signing.request.FailureReason;
import org.keywell.signing.request.IssuedCertificate;
import org.keywell.signing.request.SampleRequests;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SignRequest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A device that does not come back leaves nobody waiting, and its keys are accounted for. */
@Timeout(60)
@Tag("postgresql")
@ExtendWith(OutputCaptureExtension.class)
final class HangWatchTest {

  private static final Duration AT_ONCE = Duration.ZERO;
  private static final Duration NEVER = Duration.ofHours(1);

  private final RecordsDatabase database = new RecordsDatabase();
  private final ServiceParts parts = new ServiceParts(database);
  private Duration now = Duration.ofDays(3);
  private List<HsmHealth> devices = List.of(health(false, Duration.ZERO));

  @AfterEach
  void close() throws Exception {
    parts.close();
    database.close();
  }

  private static HsmHealth health(boolean hung, Duration oldest) {
    return new HsmHealth(
        hung ? HsmHealth.State.DOWN : HsmHealth.State.UP,
        hung,
        true,
        0,
        Optional.empty(),
        Optional.empty(),
        1,
        oldest);
  }

  private HangWatch watch(Duration atWorkLimit, Duration hangLimit) {
    return new HangWatch(() -> devices, parts.standIn, atWorkLimit, hangLimit, () -> now.toNanos());
  }

  @Test
  void aSignatureThatDoesNotReturnFailsItsRequestWithItsKey(CapturedOutput output)
      throws Exception {
    StoredKey key = parts.device.load();
    parts.device.hsm.faults().hang(Operation.SIGN);
    parts.threads.start();
    SignRequest request = SampleRequests.any();
    CompletableFuture<SignRecord> answer = sign(request);
    parts.device.hsm.faults().awaitHanging(Operation.SIGN, 1);

    watch(AT_ONCE, NEVER).look();

    SignOutcome.Failed failed = failed(answer.get(20, SECONDS).outcome());
    assertThat(failed.keyUse())
        .isNotNull()
        .satisfies(use -> {
          assertThat(use.keyId()).isEqualTo(key.id());
          assertThat(use.destruction().returnValue()).isEqualTo(-1);
        });
    assertThat(failed(parts.records.find(request.requestId()).orElseThrow().outcome()).keyUse())
        .isNotNull();
    assertThat(parts.atHand).hasValue(0);

    // It comes back, too late: nobody gets its signature, and it destroys the key.
    parts.device.hsm.faults().healAll();
    await().until(() -> output.getOut().contains("its outcome is discarded"));
    assertThat(parts.device.hsm.countLiveKeys()).isZero();
    await()
        .untilAsserted(() ->
            assertThat(parts.device.late)
                .containsExactly(new DeviceParts.Late(request.requestId(), Destruction.DONE)));
    assertThat(parts.device.ca.calls()).isZero();
    failed(parts.records.find(request.requestId()).orElseThrow().outcome());
    assertThat(parts.atHand).hasValue(0);
  }

  /** The proof and the certificate are made in time; what hangs is the signature itself. */
  @Test
  void aCertificateIsOnRecordIfTheSignatureDoesNotReturn() throws Exception {
    parts.withKeys(1);
    CountDownLatch certified = new CountDownLatch(1);
    parts.device.ca.hold(certified);
    parts.threads.start();
    SignRequest request = SampleRequests.contained(Container.CADES_BASELINE_B, 1);
    CompletableFuture<SignRecord> answer = sign(request);
    await().until(() -> parts.device.ca.calls() == 1);
    parts.device.hsm.faults().hang(Operation.SIGN);
    certified.countDown();
    parts.device.hsm.faults().awaitHanging(Operation.SIGN, 1);

    watch(AT_ONCE, NEVER).look();

    SignOutcome.Failed failed = failed(answer.get(20, SECONDS).outcome());
    IssuedCertificate told = Objects.requireNonNull(failed.issued());
    assertThat(failed(parts.records.find(request.requestId()).orElseThrow().outcome()).issued())
        .extracting(IssuedCertificate::certificate)
        .isEqualTo(told.certificate());
    parts.device.hsm.faults().healAll();
  }

  /** As where the CA's key hangs, whose calls the device does not count. */
  @Test
  void whoWaitsWhereNoHandlerIsLeftIsToldWhateverTheDeviceSays() throws Exception {
    whoWaitsIsTold(health(false, Duration.ZERO));
  }

  @Test
  void whoWaitsBehindItIsToldAsSoonAsTheDeviceHangs() throws Exception {
    whoWaitsIsTold(health(true, Duration.ofSeconds(11)));
  }

  private void whoWaitsIsTold(HsmHealth during) throws Exception {
    parts.withKeys(5).device.hsm.faults().hang(Operation.SIGN);
    parts.threads.start();
    CompletableFuture<SignRecord> first = sign(SampleRequests.any());
    parts.device.hsm.faults().awaitHanging(Operation.SIGN, 1);
    List<CompletableFuture<SignRecord>> behind = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      behind.add(sign(SampleRequests.any()));
    }
    await().until(() -> parts.atHand.get() == 4);
    HangWatch watch = watch(AT_ONCE, NEVER);

    devices = List.of(during);
    await()
        .until(() -> {
          watch.look();
          return parts.atHand.get() == 0;
        });

    failed(first.get(20, SECONDS).outcome());
    for (CompletableFuture<SignRecord> answer : behind) {
      assertThat(failed(answer.get(20, SECONDS).outcome()).keyUse()).isNull();
    }
    assertThat(parts.device.loaded()).as("no key is spent on those").isEqualTo(4);
    assertThat(parts.queue.length()).isZero();
  }

  @Test
  void whatIsAtWorkForAMomentIsLeftAlone() throws Exception {
    parts.withKeys(1).device.hsm.faults().hang(Operation.SIGN);
    parts.threads.start();
    CompletableFuture<SignRecord> answer = sign(SampleRequests.any());
    parts.device.hsm.faults().awaitHanging(Operation.SIGN, 1);
    devices = List.of(health(true, Duration.ofSeconds(11)));

    watch(NEVER, NEVER).look();

    assertThat(answer).isNotDone();
    parts.device.hsm.faults().healAll();
    assertThat(answer.get(20, SECONDS).outcome()).isInstanceOf(SignOutcome.Signed.class);
  }

  @Test
  void itIsHopelessOnceAndOnlyWhereThereIsALimit() throws Exception {
    AtomicInteger told = new AtomicInteger();
    HangWatch watch = watch(NEVER, Duration.ofSeconds(30));
    HangWatch patient = watch(NEVER, Duration.ZERO);
    watch.start(told::incrementAndGet);
    patient.start(told::incrementAndGet);
    watch.end(RecordsDatabase.LIMIT);
    patient.end(RecordsDatabase.LIMIT);

    devices = List.of(health(true, Duration.ofSeconds(29)));
    watch.look();
    assertThat(watch.isHopeless()).isFalse();
    // As the generation of a large key, which may take long.
    devices = List.of(health(false, Duration.ofSeconds(31)));
    watch.look();
    assertThat(watch.isHopeless()).isFalse();
    devices = List.of(health(true, Duration.ofSeconds(31)));
    watch.look();
    watch.look();
    patient.look();

    assertThat(watch.isHopeless()).isTrue();
    assertThat(patient.isHopeless()).isFalse();
    assertThat(told).hasValue(1);
  }

  /** Nobody who waits has anything to do with the device that hangs. */
  @Test
  void whileAnotherDeviceSignsOnlyThoseAreEndedThatHaveAKeyOfTheOneThatHangs() throws Exception {
    parts.withKeys(2).device.hsm.faults().hang(Operation.SIGN);
    parts.threads.start();
    CompletableFuture<SignRecord> first = sign(SampleRequests.any());
    parts.device.hsm.faults().awaitHanging(Operation.SIGN, 1);
    CompletableFuture<SignRecord> behind = sign(SampleRequests.any());
    await().until(() -> parts.atHand.get() == 2);
    devices = List.of(health(true, Duration.ofHours(1)), health(false, Duration.ZERO));

    HangWatch watch = watchOfTwoHandlers(AT_ONCE);
    watch.look();

    failed(first.get(20, SECONDS).outcome());
    assertThat(watch.isHopeless()).isFalse();
    assertThat(behind).isNotDone();
    parts.device.hsm.faults().healAll();
    assertThat(behind.get(20, SECONDS).outcome()).isInstanceOf(SignOutcome.Signed.class);
  }

  /** As one for whom a key is made in the device that hangs. */
  @Test
  void whoHasNoKeyIsEndedOnlyOnceItsTimeIsOver() throws Exception {
    HandlerThreads makers = new HandlerThreads(List.of(maker(), maker()), List.of(), parts.queue);
    parts.device.hsm.faults().hang(Operation.GENERATE);
    makers.start();
    CompletableFuture<SignRecord> inTime = sign(SampleRequests.any());
    CompletableFuture<SignRecord> late = sign(SampleRequests.withDeadline(Duration.ofSeconds(2)));
    parts.device.hsm.faults().awaitHanging(Operation.GENERATE, 2);
    devices = List.of(health(true, Duration.ofHours(1)), health(false, Duration.ZERO));
    HangWatch watch =
        new HangWatch(
            () -> devices,
            new StandIn(makers, parts.queue, parts.writer, new NoActs()),
            AT_ONCE,
            NEVER,
            () -> now.toNanos());

    await()
        .until(() -> {
          watch.look();
          return late.isDone();
        });

    failed(late.get(20, SECONDS).outcome());
    assertThat(inTime).isNotDone();
    parts.device.hsm.faults().healAll();
    assertThat(inTime.get(20, SECONDS).outcome()).isInstanceOf(SignOutcome.Signed.class);
    assertThat(makers.finish(RecordsDatabase.LIMIT)).isTrue();
  }

  private SignHandler maker() {
    return parts.newHandler(
        SignHandler.Takes.WITH_KEY, PoolMode.ON_THE_FLY, EmptyPoolPolicy.GENERATE);
  }

  /** The second handler has nothing to do. */
  private HangWatch watchOfTwoHandlers(Duration atWorkLimit) {
    HandlerThreads both =
        new HandlerThreads(List.of(parts.handler, parts.newHandler()), List.of(), parts.queue);
    return new HangWatch(
        () -> devices,
        new StandIn(both, parts.queue, parts.writer, new NoActs()),
        atWorkLimit,
        Duration.ofSeconds(30),
        () -> now.toNanos());
  }

  @Test
  void itIsHopelessOnlyOnceEveryDeviceThatSignsHangsForLong() throws Exception {
    HangWatch watch = watch(NEVER, Duration.ofSeconds(30));

    devices = List.of(health(true, Duration.ofHours(1)), health(false, Duration.ofHours(1)));
    watch.look();
    devices = List.of(health(true, Duration.ofHours(1)), health(true, Duration.ofSeconds(29)));
    watch.look();
    assertThat(watch.isHopeless()).isFalse();

    devices = List.of(health(true, Duration.ofHours(1)), health(true, Duration.ofSeconds(30)));
    watch.look();
    assertThat(watch.isHopeless()).isTrue();
  }

  /** The calls that were in progress have lasted for as long, and are given their time again. */
  @Test
  void aProcessThatStoodStillGoesOn() throws Exception {
    HangWatch watch = watch(Duration.ofSeconds(10), Duration.ofSeconds(30));
    watch.look();
    now = now.plusSeconds(60);
    devices = List.of(health(true, Duration.ofSeconds(60)));

    for (int looks = 0; looks < 59; looks++) {
      watch.look();
      assertThat(watch.isHopeless()).as("look " + looks).isFalse();
      now = now.plusMillis(500);
    }

    devices = List.of(health(false, Duration.ZERO));
    watch.look();
    assertThat(watch.isHopeless()).isFalse();
  }

  @Test
  void aCallThatHangsOnAfterwardsIsHopelessAllTheSame() throws Exception {
    HangWatch watch = watch(Duration.ofSeconds(10), Duration.ofSeconds(30));
    watch.look();
    now = now.plusSeconds(60);
    devices = List.of(health(true, Duration.ofSeconds(60)));

    for (int looks = 0; looks <= 60; looks++) {
      watch.look();
      now = now.plusMillis(500);
    }

    assertThat(watch.isHopeless()).isTrue();
  }

  @Test
  void whoWaitedWhileTheProcessStoodStillIsNotFailedAtOnce() throws Exception {
    parts.withKeys(2).device.hsm.faults().hang(Operation.SIGN);
    parts.threads.start();
    HangWatch watch = watch(Duration.ofSeconds(10), NEVER);
    watch.look();
    CompletableFuture<SignRecord> answer = sign(SampleRequests.any());
    parts.device.hsm.faults().awaitHanging(Operation.SIGN, 1);
    CompletableFuture<SignRecord> behind = sign(SampleRequests.any());
    await().until(() -> parts.atHand.get() == 2);
    now = now.plusSeconds(60);
    devices = List.of(health(true, Duration.ofSeconds(60)));

    watch.look();

    assertThat(parts.queue.length()).as("who waits").isEqualTo(1);
    parts.device.hsm.faults().healAll();
    assertThat(answer.get(20, SECONDS).outcome()).isInstanceOf(SignOutcome.Signed.class);
    assertThat(behind.get(20, SECONDS).outcome()).isInstanceOf(SignOutcome.Signed.class);
  }

  private CompletableFuture<SignRecord> sign(SignRequest request) {
    CompletableFuture<SignRecord> answer = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            answer.complete(parts.service.sign(request, SampleRequests.receivedNow()));
          } catch (InterruptedException | RuntimeException e) {
            answer.completeExceptionally(e);
          }
        });
    return answer;
  }

  private static SignOutcome.Failed failed(@Nullable SignOutcome outcome) {
    if (!(outcome instanceof SignOutcome.Failed failed)) {
      throw new AssertionError(outcome);
    }
    assertThat(failed.reason()).isEqualTo(FailureReason.HSM_UNAVAILABLE);
    return failed;
  }
}
