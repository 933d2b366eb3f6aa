package org.keywell.keypool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whatever the order of events, and whichever of them fail: no key signs twice, none is lost
 * without being counted, and no limit is exceeded. A failure names the seed, which repeats it.
 */
final class KeyLifecyclePropertyTest {

  private static final int SEEDS = 300;
  private static final int STEPS = 150;

  @Test
  @Timeout(300)
  void holdsForRandomHistories() throws InterruptedException {
    long signed = 0;
    long forfeited = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      RandomHistory history = new RandomHistory(seed);
      for (int step = 0; step < STEPS; step++) {
        history.step();
      }
      history.stopInOrder();
      signed += history.signed();
      forfeited += history.forfeited();
    }

    assertThat(signed).as("the histories are not empty").isGreaterThan(SEEDS);
    assertThat(forfeited).as("and have crashes that matter").isGreaterThan(SEEDS);
  }
}
