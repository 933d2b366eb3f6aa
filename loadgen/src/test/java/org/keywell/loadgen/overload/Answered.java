package org.keywell.loadgen.overload;

import java.util.List;
import org.keywell.client.CommitTimes;
import org.keywell.client.SignResponse;
import org.keywell.loadgen.drive.Outcome;
import org.keywell.loadgen.drive.Sample;

/** Samples of requests that were signed or not, as a service might have left them. */
final class Answered {
  private static final SignResponse.Timestamps NO_TIMES =
      new SignResponse.Timestamps(null, null, null, null, null, null, null);

  private Answered() {}

  static Sample signed(int request, long sentNanos, long answeredNanos, long processMicros) {
    SignResponse response =
        new SignResponse(
            "id", new byte[1], "ECDSA", List.of(new byte[1]), true, NO_TIMES, 0, processMicros);
    return new Sample(
        request,
        sentNanos,
        sentNanos,
        answeredNanos,
        new Outcome.Signed(response, CommitTimes.UNKNOWN));
  }

  static Sample refused(int request, long sentNanos, long answeredNanos) {
    return new Sample(
        request, sentNanos, sentNanos, answeredNanos, new Outcome.Refused("queue-full"));
  }

  static Sample abandoned(int request, long sentNanos) {
    return new Sample(request, sentNanos, sentNanos, Sample.NEVER, new Outcome.Abandoned());
  }

  static Sample unsent(int request, long dueNanos) {
    return new Sample(request, dueNanos, Sample.NEVER, Sample.NEVER, new Outcome.Unsent());
  }
}
