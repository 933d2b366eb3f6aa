package org.keywell.loadgen.report;

import java.util.ArrayList;
import java.util.List;
import org.keywell.loadgen.drive.Outcome;
import org.keywell.loadgen.drive.Sample;
import org.keywell.loadgen.schedule.Schedule;
import org.keywell.loadgen.verify.Verification;

/** Comparisons of runs that are easily counted. */
final class Comparisons {
  static final Verification RIGHT = new Verification("all", "ab", 7, 0, null, 7, 7);

  private Comparisons() {}

  /** Requests, one a second; some are signed after the given time, the others refused. */
  static RunDocument run(
      int requests, int signedEvery, int millis, String mode, Verification verification) {
    Schedule schedule = Schedule.constant("even", 1, requests);
    List<Sample> samples = new ArrayList<>();
    for (int request = 1; request <= requests; request++) {
      long due = schedule.dueNanos(request);
      boolean signed = (request - 1) % signedEvery == 0;
      samples.add(
          new Sample(
              request,
              due,
              due,
              due + 1_000_000L * millis,
              signed
                  ? Samples.byHand().getFirst().outcome()
                  : new Outcome.Refused("urn:keywell:problem:queue-full")));
    }
    return Runs.of(schedule, samples, verification, "luna", mode);
  }

  static ComparisonDocument both(String... requirements) {
    return both(150, requirements);
  }

  /** With as many requests, of which the traditional system signs every fifth. */
  static ComparisonDocument both(int requests, String... requirements) {
    return ComparisonDocument.of(
        run(requests, 5, 1_000, "on-the-fly", RIGHT),
        run(requests, 1, 100, "pooled", RIGHT),
        List.of(requirements).stream().map(ComparisonRequirement::parse).toList());
  }
}
