package org.keywell.loadgen.drive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class PacerTest {

  /** Passes a microsecond whenever it is looked at, and oversleeps as real systems do. */
  private final AtomicLong clock = new AtomicLong(1_000_000_000);

  private final AtomicLong longestPark = new AtomicLong();

  private final Pacer pacer =
      new Pacer(
          () -> clock.getAndAdd(1_000),
          nanos -> {
            longestPark.accumulateAndGet(nanos, Math::max);
            clock.addAndGet(nanos + 60_000);
          });

  @Test
  void isNeverEarlyAndAtMostOneLookLate() {
    for (long wait : new long[] {0, 5_000, 200_000, 1_000_000, 333_333_333}) {
      long due = clock.get() + wait;

      assertThat(pacer.await(due, () -> false)).isTrue();

      assertThat(clock.get()).isBetween(due, due + 3_000);
    }
  }

  @Test
  void whatIsDueAlreadyDoesNotWait() {
    long now = clock.get();

    assertThat(pacer.await(now - 5_000_000, () -> false)).isTrue();

    assertThat(clock.get()).isLessThan(now + 5_000);
  }

  @Test
  void aLongWaitCanBeGivenUp() {
    AtomicBoolean givenUp = new AtomicBoolean();
    Pacer interrupted = new Pacer(clock::get, nanos -> givenUp.set(true));

    assertThat(interrupted.await(clock.get() + 3_600_000_000_000L, givenUp::get)).isFalse();
  }

  @Test
  void noParkIsSoLongThatGivingUpWouldGoUnnoticed() {
    pacer.await(clock.get() + 10_000_000_000L, () -> false);

    assertThat(longestPark.get()).isLessThanOrEqualTo(50_000_000);
  }
}
