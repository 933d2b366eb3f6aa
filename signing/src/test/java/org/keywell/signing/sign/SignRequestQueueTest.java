package org.keywell.signing.sign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.keypool.TestThread;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.fairness.CallerPlaces.Taking;
import org.keywell.signing.fairness.Limited;
import org.keywell.signing.request.SampleRequests;
import org.keywell.signing.request.SignRequest;
import org.keywell.testkit.ManualTime;

@Timeout(20)
final class SignRequestQueueTest {

  private static final Caller CALLER = Caller.onLoopback();

  private final ManualTime time = new ManualTime();
  private final SignRequestQueue queue = new SignRequestQueue(2, System::nanoTime);

  @Test
  void isFirstInFirstOut() throws Exception {
    Admitted first = queued();
    Admitted second = queued();

    assertThat(Polled.now(queue)).isSameAs(first);
    assertThat(Polled.now(queue)).isSameAs(second);
    assertThat(Polled.now(queue)).isNull();
  }

  @Test
  void countsReservedPlacesAgainstTheLimit() throws Exception {
    queued();
    Admitted withoutRecord = admitted();
    assertThat(queue.length()).isEqualTo(2);
    assertThat(queue.reserve(CALLER, KeySpec.EC_P256)).isEqualTo(Taking.FULL);

    withoutRecord.settle();
    assertThat(queue.reserve(CALLER, KeySpec.EC_P256)).isEqualTo(Taking.TAKEN);
    Polled.now(queue);
    assertThat(queue.reserve(CALLER, KeySpec.EC_P256)).isEqualTo(Taking.TAKEN);
    assertThat(queue.reserve(CALLER, KeySpec.EC_P256)).isEqualTo(Taking.FULL);
  }

  @Test
  void neverHoldsMoreThanItsLimit() {
    Admitted first = queued();
    queued();

    assertThatIllegalStateException().isThrownBy(first::enqueue);
  }

  @Test
  void isEmptyWhenNoPlaceIsReservedOrTaken() throws Exception {
    queue.awaitEmpty(Duration.ofSeconds(20));
    queued();
    Admitted withoutRecord = admitted();
    CompletableFuture<Void> empty = CompletableFuture.runAsync(this::awaitEmpty);

    Polled.now(queue);
    assertThat(empty).isNotDone();
    withoutRecord.settle();

    await().until(empty::isDone);
    assertThat(empty).isCompleted();
    assertThat(queue.reserve(CALLER, KeySpec.EC_P256)).isEqualTo(Taking.TAKEN);
  }

  @Test
  void whoComesAnewGoesBeforeTheBacklogOfAnother() throws Exception {
    SignRequestQueue fair = new SignRequestQueue(10, System::nanoTime);
    Caller flooder = Limited.share("flooder", 50);
    for (int i = 0; i < 5; i++) {
      OpenAdmission.admitted(fair, SampleRequests.of(flooder)).enqueue();
    }
    Admitted first = Polled.now(fair);
    Admitted other = OpenAdmission.admitted(fair, SampleRequests.of(Limited.share("other", 50)));
    other.enqueue();

    assertThat(first).isNotNull();
    assertThat(Polled.now(fair)).isSameAs(other);
    assertThat(fair.length()).isEqualTo(4);
  }

  @Test
  void whatIsOverdueIsTakenWhereverItStands() throws Exception {
    Admitted first = queued();
    Admitted late = OpenAdmission.admitted(queue, SampleRequests.withDeadline(Duration.ofNanos(1)));
    late.enqueue();

    assertThat(Objects.requireNonNull(queue.pollOverdue()).admitted()).isSameAs(late);
    assertThat(queue.pollOverdue()).isNull();
    assertThat(Polled.now(queue)).isSameAs(first);
  }

  /** Each kind is first in, first out, and none waits for a key of another. */
  @Test
  void whatHasNoKeyIsPassedByOtherKinds() throws Exception {
    SignRequestQueue kinds = new SignRequestQueue(10, time);
    Admitted firstRsa = queued(kinds, KeySpec.RSA_2048);
    Admitted firstEc = queued(kinds, KeySpec.EC_P256);
    Admitted secondRsa = queued(kinds, KeySpec.RSA_2048);
    Admitted secondEc = queued(kinds, KeySpec.EC_P256);
    Set<KeySpec> loaded = EnumSet.of(KeySpec.EC_P256);
    Function<PendingRequest, @Nullable Start> starts =
        pending -> loaded.contains(pending.request().keySpec()) ? Start.Plain.MAKE_KEY : null;

    assertThat(Polled.now(kinds, starts)).isSameAs(firstEc);
    assertThat(kinds.waitingForKey(KeySpec.RSA_2048)).isEqualTo(2);
    assertThat(kinds.waitingForKey(KeySpec.EC_P256)).isZero();
    time.advance(Duration.ofMillis(30));
    loaded.add(KeySpec.RSA_2048);
    SignRequestQueue.Turn rsa = Objects.requireNonNull(kinds.poll(0, starts));
    assertThat(rsa.admitted()).as("it came first").isSameAs(firstRsa);
    assertThat(rsa.keyWait().toMillis()).isEqualTo(30);
    assertThat(kinds.waitingForKey(KeySpec.RSA_2048)).isZero();
    assertThat(Polled.now(kinds, starts)).isSameAs(secondRsa);
    assertThat(Polled.now(kinds, starts)).isSameAs(secondEc);
    assertThat(Polled.now(kinds, starts)).isNull();
    assertThat(kinds.length()).isZero();
  }

  /** Its caller is told in time, however busy the handlers are with other kinds. */
  @Test
  void whatWaitsForAKeyPastItsDeadlineLeavesBeforeOthers() throws Exception {
    SignRequestQueue kinds = new SignRequestQueue(10, time);
    SignRequest brief = SampleRequests.withDeadline(Duration.ofNanos(1));
    Admitted overdue = OpenAdmission.admitted(kinds, SampleRequests.of(KeySpec.RSA_2048, brief));
    overdue.enqueue();
    List<Admitted> others = List.of(queued(kinds, KeySpec.EC_P256), queued(kinds, KeySpec.EC_P256));
    // As if it had time left when it came to its turn.
    Function<PendingRequest, @Nullable Start> first =
        pending -> pending.request().keySpec() == KeySpec.EC_P256 ? Start.Plain.MAKE_KEY : null;
    assertThat(Polled.now(kinds, first)).isSameAs(others.getFirst());

    time.advance(Duration.ofMillis(50));

    assertThat(Polled.now(kinds)).isSameAs(overdue);
    assertThat(Polled.now(kinds)).isSameAs(others.getLast());
    assertThat(kinds.waitingForKey(KeySpec.RSA_2048)).isZero();
  }

  @Test
  void whoWaitsForAKeyIsWokenWhenOneComes() throws Exception {
    Admitted waits = queued();
    AtomicBoolean loaded = new AtomicBoolean();
    Function<PendingRequest, @Nullable Start> starts =
        _ -> loaded.get() ? Start.Plain.MAKE_KEY : null;
    TestThread<SignRequestQueue.Turn> handler =
        TestThread.start(
            () -> Objects.requireNonNull(queue.poll(TimeUnit.SECONDS.toNanos(10), starts)));
    handler.awaitWaiting();

    loaded.set(true);
    queue.keysChanged();

    assertThat(handler.result().admitted()).isSameAs(waits);
  }

  /** Two callers of the same share: each request of one takes ten times as long. */
  @Test
  void whoUsesMoreTimeHasFewerTurns() throws Exception {
    SignRequestQueue fair = new SignRequestQueue(200, time);
    Caller slow = Limited.share("slow", 50);
    Caller quick = Limited.share("quick", 50);
    for (int i = 0; i < 100; i++) {
      OpenAdmission.admitted(fair, SampleRequests.of(slow)).enqueue();
      OpenAdmission.admitted(fair, SampleRequests.of(quick)).enqueue();
    }
    int turnsOfSlow = 0;
    for (int i = 0; i < 88; i++) {
      SignRequestQueue.Turn turn = Objects.requireNonNull(fair.poll(0, Polled.AT_ONCE));
      boolean isSlow = turn.admitted().caller().equals(slow);
      turnsOfSlow += isSlow ? 1 : 0;
      fair.done(turn, Duration.ofMillis(isSlow ? 10 : 1).toNanos());
    }

    assertThat(turnsOfSlow).isBetween(7, 9);
  }

  /** A generation takes long; who makes keys begins the next one in its caller's turn. */
  @Test
  void aKeyIsMadeInItsCallersTurn() throws Exception {
    SignRequestQueue fair = new SignRequestQueue(200, time);
    Caller drains = Limited.share("drains", 50);
    Caller other = Limited.share("other", 50);
    for (int i = 0; i < 3; i++) {
      SignRequest rsa = SampleRequests.of(KeySpec.RSA_2048, SampleRequests.of(drains));
      OpenAdmission.admitted(fair, rsa).enqueue();
    }
    Function<PendingRequest, @Nullable Start> starts =
        pending -> pending.request().keySpec() == KeySpec.EC_P256 ? Start.Plain.MAKE_KEY : null;
    Function<PendingRequest, KeySource.Way> ways =
        pending -> starts.apply(pending) == null ? KeySource.Way.MAKE : KeySource.Way.SIGN;
    assertThat(fair.poll(0, starts)).as("none has a key").isNull();

    SignRequestQueue.Turn first = Objects.requireNonNull(fair.pollForMaking(0, ways));
    fair.done(first, Duration.ofMillis(600).toNanos());
    List<Admitted> others = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      Admitted ec = OpenAdmission.admitted(fair, SampleRequests.of(other));
      ec.enqueue();
      others.add(ec);
    }
    for (Admitted ec : others.subList(0, 60)) {
      assertThat(fair.pollForMaking(0, ways)).as("another has an earlier turn").isNull();
      SignRequestQueue.Turn turn = Objects.requireNonNull(fair.poll(0, starts));
      assertThat(turn.admitted()).isSameAs(ec);
      fair.done(turn, Duration.ofMillis(10).toNanos());
    }

    SignRequestQueue.Turn second = Objects.requireNonNull(fair.pollForMaking(0, ways));
    assertThat(second.admitted().caller()).isEqualTo(drains);
    assertThat(second.start()).isEqualTo(Start.Plain.MAKE_KEY);
    assertThat(fair.pollForMaking(0, ways)).as("charged beforehand").isNull();
  }

  /** It has nothing to do with the turns of others, whatever kind it is for. */
  @Test
  void aCallersOwnRequestsDoNotKeepItsKeysFromBeingMade() throws Exception {
    SignRequestQueue alone = new SignRequestQueue(10, time);
    queued(alone, KeySpec.EC_P256);
    Admitted rsa = queued(alone, KeySpec.RSA_2048);
    Function<PendingRequest, KeySource.Way> ways =
        pending ->
            pending.request().keySpec() == KeySpec.RSA_2048
                ? KeySource.Way.MAKE
                : KeySource.Way.SIGN;
    assertThat(Polled.now(alone, _ -> null)).isNull();

    assertThat(Objects.requireNonNull(alone.pollForMaking(0, ways)).admitted()).isSameAs(rsa);
    assertThat(alone.pollForMaking(0, ways)).isNull();
  }

  /** Such as at a stop: nobody waits for their keys any more. */
  @Test
  void allMayBeTakenWhateverTheyWaitFor() throws Exception {
    Admitted first = queued();
    Admitted second = queued();
    assertThat(Polled.now(queue, _ -> null)).isNull();

    assertThat(queue.pollAny()).isSameAs(first);
    assertThat(queue.pollAny()).isSameAs(second);
    assertThat(queue.pollAny()).isNull();
    assertThat(queue.length()).isZero();
  }

  /** Many put and many take: each is taken once, and a caller's in their order. */
  @Test
  void nothingIsLostAmongThreads() throws Exception {
    int each = 2_000;
    int callers = 4;
    SignRequestQueue busy = new SignRequestQueue(40, System::nanoTime);
    List<List<Admitted>> put = new ArrayList<>();
    List<Admitted> taken = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(callers)) {
      for (int i = 0; i < callers; i++) {
        Caller caller = Limited.share("caller-" + i, 25);
        List<Admitted> own = new ArrayList<>();
        put.add(own);
        threads.execute(() -> {
          while (own.size() < each) {
            if (busy.isShareFull(caller)) {
              Thread.onSpinWait();
            } else {
              Admitted admitted = OpenAdmission.admitted(busy, SampleRequests.of(caller));
              own.add(admitted);
              admitted.enqueue();
            }
          }
        });
      }
      while (taken.size() < each * callers) {
        SignRequestQueue.Turn next =
            Objects.requireNonNull(busy.poll(TimeUnit.SECONDS.toNanos(10), Polled.AT_ONCE));
        taken.add(next.admitted());
      }
    }
    for (List<Admitted> own : put) {
      Caller caller = own.getFirst().caller();
      assertThat(taken.stream().filter(any -> any.caller().equals(caller)))
          .containsExactlyElementsOf(own);
    }
    assertThat(busy.length()).isZero();
  }

  private void awaitEmpty() {
    try {
      queue.awaitEmpty(Duration.ofSeconds(20));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static Admitted queued(SignRequestQueue queue, KeySpec spec) {
    Admitted admitted =
        OpenAdmission.admitted(queue, SampleRequests.of(spec, SampleRequests.any()));
    admitted.enqueue();
    return admitted;
  }

  private Admitted queued() {
    Admitted admitted = admitted();
    admitted.enqueue();
    return admitted;
  }

  private Admitted admitted() {
    return OpenAdmission.admitted(queue, SampleRequests.any());
  }
}
