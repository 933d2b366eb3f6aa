package org.keywell.keypool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.keypool.PoolRig.EC;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class LoadProgressTest {

  private final LoadProgress progress = new LoadProgress();

  @Test
  void keysOfSeveralBatchesAddUp() {
    LoadProgress.Batch one = progress.begun(EC);
    LoadProgress.Batch two = progress.begun(EC);
    one.claimed(3);
    two.claimed(5);
    one.loaded();
    assertThat(progress.keys(EC)).isEqualTo(7);

    one.ended();
    assertThat(progress.keys(EC)).isEqualTo(5);

    two.ended();
    assertThat(progress.keys(EC)).isZero();
    assertThat(progress.claims()).isEqualTo(2);
  }

  @Test
  void nothingStallsUnlessABatchIsUnderWay() {
    assertThat(progress.stallsFor(Duration.ZERO)).isFalse();
    LoadProgress.Batch one = progress.begun(EC);
    LoadProgress.Batch two = progress.begun(EC);

    one.ended();
    assertThat(progress.stallsFor(Duration.ZERO)).isTrue();
    assertThat(progress.stallsFor(Duration.ofHours(1))).isFalse();

    two.ended();
    assertThat(progress.stallsFor(Duration.ZERO)).isFalse();
  }
}
