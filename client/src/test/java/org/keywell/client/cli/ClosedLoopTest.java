package org.keywell.client.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class ClosedLoopTest {

  private static final long MILLI = 1_000_000;

  @Test
  void reckonsAHandMadeCase() {
    ClosedLoop.Result result =
        new ClosedLoop.Result(
            new long[] {1 * MILLI, 2 * MILLI, 3 * MILLI, 10 * MILLI}, 8 * MILLI, 4, null);

    assertThat(result.signed()).isEqualTo(4);
    assertThat(result.perSecond()).isCloseTo(500, within(1e-9));
    assertThat(result.meanMillis()).isCloseTo(4, within(1e-9));
    assertThat(result.percentileMillis(50)).isEqualTo(2);
    assertThat(result.percentileMillis(75)).isEqualTo(3);
    assertThat(result.percentileMillis(99)).isEqualTo(10);
    assertThat(result.percentileMillis(100)).isEqualTo(10);
  }

  @Test
  void nothingSignedIsNoTimeAtAll() {
    ClosedLoop.Result result = new ClosedLoop.Result(new long[0], MILLI, 0, "queue-full");

    assertThat(result.perSecond()).isZero();
    assertThat(result.meanMillis()).isZero();
    assertThat(result.percentileMillis(50)).isZero();
  }
}
