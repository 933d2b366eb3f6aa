package org.keywell.operations.console;

import java.util.OptionalLong;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.RequestTimes.Stage;

/**
 * How long each stage of a request took, in microseconds; 0 for one that it did not reach. Their
 * sum is the request's duration, except for rounding to whole microseconds.
 *
 * @param accept until the receipt was durable
 * @param other time in no stage: for a request that was not signed, where it failed
 * @param record until the outcome was durable
 */
record StageTimes(
    long accept,
    long queue,
    long key,
    long sign,
    long certify,
    long destroy,
    long other,
    long record) {

  private static final Stage[] IN_PROCESS = {
    Stage.REQUEST_GOT_KEY_PAIR, Stage.SIGNED, Stage.CERTIFIED, Stage.KEY_DESTROYED
  };

  /**
   * @param totalNanos from receipt until the outcome was durable
   */
  static StageTimes of(RequestTimes times, long totalNanos) {
    long accepted = orElse(times.acceptedNanos(), 0);
    long started = orElse(times.elapsedNanos(Stage.REQUEST_START_TO_PROCESS), accepted);
    long finished = orElse(times.elapsedNanos(Stage.REQUEST_FINISHED), totalNanos);
    long[] inProcess = new long[IN_PROCESS.length];
    long last = started;
    for (int i = 0; i < IN_PROCESS.length; i++) {
      inProcess[i] = orElse(times.tookNanos(IN_PROCESS[i]), 0);
      last = Math.max(last, orElse(times.elapsedNanos(IN_PROCESS[i]), 0));
    }
    return new StageTimes(
        micros(accepted),
        micros(started - accepted),
        micros(inProcess[0]),
        micros(inProcess[1]),
        micros(inProcess[2]),
        micros(inProcess[3]),
        micros(finished - last),
        micros(totalNanos - finished));
  }

  private static long orElse(OptionalLong nanos, long otherwise) {
    return nanos.isPresent() ? nanos.getAsLong() : otherwise;
  }

  private static long micros(long nanos) {
    return nanos / 1000;
  }
}
