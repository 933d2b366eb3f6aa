package org.keywell.bench.modes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.keywell.client.CommitTimes;
import org.keywell.client.SignResponse;
import org.keywell.loadgen.drive.Outcome;
import org.keywell.loadgen.drive.Sample;

final class ClosedRunTest {
  private static final long MILLI = 1_000_000;
  private static final Percentage PRECISION = Percentage.withPercentage(0.1);

  private static final SignResponse.Timestamps NO_TIMES =
      new SignResponse.Timestamps(null, null, null, null, null, null, null);

  private static Sample signed(int request, long sentMillis, long tookMillis, boolean ahead) {
    SignResponse response =
        new SignResponse("id", new byte[0], "ECDSA", List.of(), ahead, NO_TIMES, 0, 0);
    return new Sample(
        request,
        sentMillis * MILLI,
        sentMillis * MILLI,
        (sentMillis + tookMillis) * MILLI,
        new Outcome.Signed(response, CommitTimes.UNKNOWN));
  }

  private static final List<Sample> SAMPLES =
      List.of(
          signed(1, 0, 1, true),
          signed(2, 1, 2, true),
          signed(3, 3, 3, true),
          signed(4, 6, 10, false));

  @Test
  void throughputIsOfTheWholeRunAndLatencyOfItsRequests() {
    ClosedRun run = ClosedRun.of(SAMPLES);

    assertThat(run.signed()).isEqualTo(4);
    assertThat(run.preGenerated()).isEqualTo(3);
    assertThat(run.perSecond()).isEqualTo(250);
    assertThat(run.meanMillis()).isEqualTo(4);
    assertThat(run.percentileMillis(50)).isCloseTo(2, PRECISION);
    assertThat(run.percentileMillis(75)).isCloseTo(3, PRECISION);
    assertThat(run.percentileMillis(99)).isCloseTo(10, PRECISION);
    assertThat(run.firstProblem()).isEmpty();
  }

  @Test
  void whatIsNotSignedIsInNoLatency() {
    ClosedRun run =
        ClosedRun.of(
            List.of(
                signed(1, 0, 5, true),
                new Sample(2, 0, 0, 10 * MILLI, new Outcome.Refused("queue-full")),
                new Sample(3, 0, 0, 10 * MILLI, new Outcome.TimedOut())));

    assertThat(run.signed()).isEqualTo(1);
    assertThat(run.perSecond()).isEqualTo(100);
    assertThat(run.meanMillis()).isEqualTo(5);
    assertThat(run.firstProblem()).isEqualTo("queue-full");
  }

  @Test
  void nothingSignedIsNoTimeAtAll() {
    ClosedRun run = ClosedRun.of(List.of());

    assertThat(run.perSecond()).isZero();
    assertThat(run.meanMillis()).isZero();
    assertThat(run.percentileMillis(50)).isZero();
  }

  @Test
  void runsTogetherHaveTheTimeOfAll() {
    ClosedRun run = ClosedRun.of(SAMPLES);

    assertThat(ClosedRun.together(List.of(run, run)).perSecond()).isEqualTo(250);
    assertThat(ClosedRun.together(List.of(run, run)).signed()).isEqualTo(8);
  }
}
