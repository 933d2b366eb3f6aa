package org.keywell.bench.parts;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.keywell.client.CommitTimes;
import org.keywell.client.SignResponse;
import org.keywell.client.SignResponse.Timestamps;
import org.keywell.loadgen.drive.Outcome;
import org.keywell.loadgen.drive.Sample;

class FromDueTest {
  private static final Instant AT = Instant.EPOCH;
  private static final Timestamps TIMES = new Timestamps(AT, AT, AT, AT, null, null, AT);
  private static final Outcome SIGNED =
      new Outcome.Signed(
          new SignResponse("id", new byte[1], "ECDSA", List.of(), true, TIMES, 1L, 1L),
          new CommitTimes(1L, 1L));

  @Test
  void percentilesAreThoseOfRequestsHoweverLateTheyWereSent() {
    assertThat(FromDue.of(samples(100, 0))).isEqualTo(new FromDue(50, 99, 0));
    assertThat(FromDue.of(samples(1, 0))).isEqualTo(new FromDue(1, 1, 0));
  }

  @Test
  void requestThatWasNotSignedCountsAsLongAsACallerWaits() {
    assertThat(FromDue.of(samples(198, 2))).isEqualTo(new FromDue(100, 198, 2));
    assertThat(FromDue.of(samples(197, 3))).isEqualTo(new FromDue(100, 30_000, 3));
  }

  /** Signed 1 ms, 2 ms and so on after they were due, and some that were not; the slowest first. */
  private static List<Sample> samples(int signed, int others) {
    List<Sample> samples = new ArrayList<>();
    IntStream.rangeClosed(1, signed).forEach(millis -> samples.add(sample(millis, SIGNED)));
    IntStream.range(0, others).forEach(_ -> samples.add(sample(1, new Outcome.TimedOut())));
    Collections.reverse(samples);
    return samples;
  }

  private static Sample sample(int millis, Outcome outcome) {
    long due = 5_000_000;
    return new Sample(1, due, due + 500_000, due + millis * 1_000_000L, outcome);
  }
}
