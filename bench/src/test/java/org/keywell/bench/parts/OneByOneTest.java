package org.keywell.bench.parts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

final class OneByOneTest {
  private static final long MILLI = 1_000_000;
  private static final Percentage PRECISION = Percentage.withPercentage(0.1);

  @Test
  void throughputIsOfTheWholeRunAndLatencyOfItsRequests() {
    OneByOne run = OneByOne.of(List.of(MILLI, 2 * MILLI, 3 * MILLI, 10 * MILLI), 20 * MILLI);

    assertThat(run.perSecond()).isEqualTo(200);
    assertThat(run.meanMillis()).isEqualTo(4);
    assertThat(run.p50Millis()).isCloseTo(2, PRECISION);
    assertThat(run.p99Millis()).isCloseTo(10, PRECISION);
  }
}
