package org.keywell.loadgen.report;

import java.time.Instant;
import java.util.List;
import org.keywell.client.CommitTimes;
import org.keywell.client.SignResponse;
import org.keywell.loadgen.drive.Outcome;
import org.keywell.loadgen.drive.Sample;
import org.keywell.loadgen.schedule.Schedule;
import org.keywell.loadgen.schedule.Step;

/** A run small enough to be counted by hand. */
final class Samples {
  private static final long MILLI = 1_000_000;

  /** Four requests 1 s apart, then six 500 ms apart: 4 s and 3 s. */
  static final Schedule SCHEDULE =
      Schedule.of(
          "by hand",
          List.of(new Step(1, 4, 1_000 * MILLI, false), new Step(5, 10, 500 * MILLI, false)));

  private Samples() {}

  /** Seven are signed; one is refused, one times out, one is not sent. */
  static List<Sample> byHand() {
    return List.of(
        signed(1, 0, 0, 100, true), // 100 ms
        signed(2, 1_000, 1_010, 1_200, true), // 200 ms from due, 190 from send
        signed(3, 2_000, 2_000, 2_300, true), // 300 ms
        signed(4, 3_000, 3_000, 6_000, false), // 3,000 ms: the answer comes in the next step
        ended(5, 4_000, 4_000, 4_005, new Outcome.Refused("urn:keywell:problem:queue-full")),
        signed(6, 4_500, 4_500, 4_600, true), // 100 ms
        ended(7, 5_000, 5_000, 65_000, new Outcome.TimedOut()),
        signed(8, 5_500, 5_500, 5_900, true), // 400 ms
        ended(9, 6_000, -1, -1, new Outcome.Unsent()),
        signed(10, 6_500, 6_501, 10_500, true)); // 4,000 ms
  }

  private static Sample signed(int request, long due, long sent, long answered, boolean made) {
    Instant t = Instant.parse("2026-01-02T03:04:05Z");
    SignResponse.Timestamps times =
        new SignResponse.Timestamps(
            t,
            t.plusMillis(request),
            t.plusMillis(request + 1L),
            t.plusMillis(request + 3L),
            t.plusMillis(request + 6L),
            null,
            t.plusMillis(request + 10L));
    SignResponse response =
        new SignResponse(
            "id-" + request, new byte[1], "ECDSA", List.of(new byte[1]), made, times, 0, 0);
    return ended(request, due, sent, answered, new Outcome.Signed(response, CommitTimes.UNKNOWN));
  }

  private static Sample ended(int request, long due, long sent, long answered, Outcome outcome) {
    return new Sample(
        request,
        due * MILLI,
        sent < 0 ? Sample.NEVER : sent * MILLI,
        answered < 0 ? Sample.NEVER : answered * MILLI,
        outcome);
  }
}
