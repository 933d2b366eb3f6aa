package org.keywell.keypool;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.keywell.keypool.DeviceCare.Step;
import org.keywell.keypool.hsm.HsmHealth;
import org.keywell.keypool.hsm.HsmHealth.State;

final class DeviceCareTest {

  private static final boolean HUNG = true;

  private final DeviceCare care = new DeviceCare(2);
  private long now = 1_000_000;
  private boolean full;

  private Step step(State state, boolean hung, boolean loggedIn, int calls, Duration idle) {
    HsmHealth.Failure failure = new HsmHealth.Failure("why", 1, now, now);
    boolean isDown = state == State.DOWN || state == State.REOPENING;
    return care.next(
        new HsmHealth(
            state,
            hung,
            loggedIn,
            now - idle.toNanos(),
            isDown ? Optional.of(failure) : Optional.empty(),
            Optional.empty(),
            calls,
            Duration.ZERO),
        full,
        now);
  }

  private Step open(State state, int calls, Duration idle) {
    return step(state, !HUNG, true, calls, idle);
  }

  private Step lost() {
    return step(State.REOPENING, !HUNG, false, 0, Duration.ZERO);
  }

  private void passes(Duration time) {
    now += time.toNanos();
  }

  @Test
  void asksADeviceThatIsIdle() {
    assertThat(open(State.UP, 0, DeviceCare.IDLE)).isEqualTo(Step.PROBE);
    assertThat(open(State.UP, 0, DeviceCare.IDLE.minusNanos(1))).isEqualTo(Step.NOTHING);
    assertThat(open(State.UP, 1, DeviceCare.IDLE)).isEqualTo(Step.NOTHING);
  }

  @Test
  void hasADeviceProveItselfThatIsInDoubtAndIdleOrThatIsDown() {
    assertThat(open(State.DOUBTFUL, 0, DeviceCare.IDLE)).isEqualTo(Step.PROVE);
    assertThat(open(State.DOUBTFUL, 0, Duration.ZERO)).isEqualTo(Step.NOTHING);
    assertThat(open(State.DOWN, 3, Duration.ZERO)).isEqualTo(Step.PROVE);
  }

  /** Nobody else tries: loaders and requests wait until there is room. */
  @Test
  void hasAFullDeviceTryAgainWhoeverUsesIt() {
    full = true;
    assertThat(open(State.UP, 3, Duration.ZERO)).isEqualTo(Step.PROVE);
  }

  @Test
  void waitsForACallThatHangs() {
    assertThat(step(State.DOWN, HUNG, true, 1, DeviceCare.IDLE)).isEqualTo(Step.NOTHING);
  }

  @Test
  void afterFailuresItReopensAfterPausesThatDouble() {
    assertThat(lost()).isEqualTo(Step.REOPEN);
    for (int seconds : new int[] {1, 2, 4, 8, 16, 30, 30}) {
      care.reopening(now);
      care.notReopened();
      passes(Duration.ofSeconds(seconds).minusNanos(1));
      assertThat(lost()).as("after almost " + seconds + " s").isEqualTo(Step.NOTHING);
      passes(Duration.ofNanos(1));
      assertThat(lost()).as("after " + seconds + " s").isEqualTo(Step.REOPEN);
    }
  }

  @Test
  void aSuccessEndsThePauses() {
    care.reopening(now);
    care.notReopened();
    passes(DeviceCare.FIRST_PAUSE);
    care.reopening(now);
    care.reopened();

    assertThat(lost()).isEqualTo(Step.REOPEN);
  }

  @Test
  void aDeviceThatDoesNotProveItselfIsLostAfterTwiceAsManyProofsEachTime() {
    for (int proofs : new int[] {2, 4, 8, 16, 32, 64, 64}) {
      for (int i = 1; i < proofs; i++) {
        assertThat(care.notProved()).as("proof %d of %d", i, proofs).isFalse();
      }
      assertThat(care.notProved()).isTrue();
      care.reopening(now);
      care.reopened();
    }
    care.proved();
    assertThat(care.notProved()).isFalse();
    assertThat(care.notProved()).isTrue();
  }

  @Test
  void withoutALimitNoProofMattersAndASuccessStartsTheCountAgain() {
    DeviceCare never = new DeviceCare(0);
    for (int i = 0; i < 100; i++) {
      assertThat(never.notProved()).isFalse();
    }
    assertThat(care.notProved()).isFalse();
    care.proved();
    assertThat(care.notProved()).isFalse();
    assertThat(care.notProved()).isTrue();
  }

  @Test
  void aDeviceThatIsLostAgainAndAgainIsNotReopenedAllTheTime() {
    for (int i = 0; i < DeviceCare.REOPENINGS_IN_A_ROW; i++) {
      assertThat(lost()).as("loss " + i).isEqualTo(Step.REOPEN);
      care.reopening(now);
      care.reopened();
    }
    for (int i = 0; i < 3; i++) {
      passes(DeviceCare.REOPENING_EVERY.minusNanos(1));
      assertThat(lost()).isEqualTo(Step.NOTHING);
      passes(Duration.ofNanos(1));
      assertThat(lost()).isEqualTo(Step.REOPEN);
      care.reopening(now);
      care.reopened();
    }
    passes(DeviceCare.REOPENING_EVERY.multipliedBy(DeviceCare.REOPENINGS_IN_A_ROW));
    for (int i = 0; i < DeviceCare.REOPENINGS_IN_A_ROW; i++) {
      assertThat(lost()).as("the whole row is allowed again").isEqualTo(Step.REOPEN);
      care.reopening(now);
      care.reopened();
    }
    assertThat(lost()).isEqualTo(Step.NOTHING);
  }
}
