package org.keywell.bench.parts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.keywell.client.CommitTimes;
import org.keywell.client.SignResponse;
import org.keywell.client.SignResponse.Timestamps;
import org.keywell.loadgen.drive.Outcome;
import org.keywell.loadgen.drive.Sample;
import org.keywell.loadgen.schedule.Schedule;

class SteadyRoundTest {
  private static final Schedule SCHEDULE = Schedule.constant("steady", 50, 0.06);
  private static final Instant RECEIVED = Instant.parse("2026-11-22T10:00:00Z");

  @Test
  void latencyIsFromWhenRequestsWereDueHoweverLateTheDriverWas() throws IOException {
    SteadyRound round =
        SteadyRound.of(SCHEDULE, List.of(signed(1, 4), signed(2, 4), signed(3, 4)), 2);

    assertThat(round.latency().p50()).isCloseTo(4, within(0.01));
    assertThat(round.generated()).isEqualTo(2);
  }

  @Test
  void stagesAreThoseThatTheServiceTells() throws IOException {
    SteadyRound round =
        SteadyRound.of(SCHEDULE, List.of(signed(1, 4), signed(2, 4), signed(3, 4)), 0);

    assertThat(round.stageMillis("accept")).isCloseTo(1, within(0.01));
    assertThat(round.stageMillis("sign")).isCloseTo(0.5, within(0.01));
    assertThat(round.stageMillis("destroy")).isZero();
  }

  @Test
  void roundInWhichNothingWasSignedIsNone() {
    Sample lost = new Sample(1, 0, 1_000, 2_000, new Outcome.TimedOut());

    assertThatIOException().isThrownBy(() -> SteadyRound.of(SCHEDULE, List.of(lost), 0));
  }

  /** Sent a millisecond late, and answered so long after it was due. */
  private static Sample signed(int request, long answeredMillis) {
    long due = SCHEDULE.dueNanos(request);
    Timestamps times =
        new Timestamps(
            RECEIVED,
            RECEIVED.plusMillis(1),
            RECEIVED.plusMillis(1),
            RECEIVED.plusNanos(1_500_000),
            null,
            null,
            RECEIVED.plusMillis(2));
    SignResponse response =
        new SignResponse(
            "request " + request, new byte[1], "ECDSA", List.of(), true, times, 1_000L, 1_000L);
    return new Sample(
        request,
        due,
        due + 1_000_000,
        due + answeredMillis * 1_000_000,
        new Outcome.Signed(response, new CommitTimes(1_000L, 500L)));
  }
}
