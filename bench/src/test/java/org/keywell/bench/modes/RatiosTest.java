package org.keywell.bench.modes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.keywell.client.CommitTimes;
import org.keywell.client.SignResponse;
import org.keywell.loadgen.drive.Outcome;
import org.keywell.loadgen.drive.Sample;

final class RatiosTest {

  private static final Outcome SIGNED =
      new Outcome.Signed(
          new SignResponse(
              "id",
              new byte[0],
              "ECDSA",
              List.of(),
              true,
              new SignResponse.Timestamps(null, null, null, null, null, null, null),
              0,
              0),
          CommitTimes.UNKNOWN);

  /** Requests one after the other, each as long as the others. */
  private static ClosedRun run(int requests, long millisEach) {
    long nanos = millisEach * 1_000_000;
    return ClosedRun.of(
        IntStream.range(0, requests)
            .mapToObj(i -> new Sample(i + 1, i * nanos, i * nanos, (i + 1) * nanos, SIGNED))
            .toList());
  }

  @Test
  void eachRoundIsComparedWithItsOwn() {
    Ratios ratios =
        Ratios.of(
            List.of(run(10, 4), run(10, 8), run(10, 3)),
            List.of(run(10, 2), run(10, 2), run(10, 2)),
            ClosedRun::meanMillis);

    assertThat(ratios.overall()).isEqualTo(2.5);
    assertThat(ratios.single()).containsExactly(1.5, 2.0, 4.0);
    assertThat(ratios.median()).isEqualTo(2.0);
    assertThat(ratios).hasToString("2.500 (1.500 to 4.000)");
  }

  @Test
  void throughputFallsAsLatencyRises() {
    Ratios ratios = Ratios.of(List.of(run(10, 4)), List.of(run(10, 2)), ClosedRun::perSecond);

    assertThat(ratios.overall()).isEqualTo(0.5);
  }
}
