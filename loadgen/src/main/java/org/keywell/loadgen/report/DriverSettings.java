package org.keywell.loadgen.report;

import org.jspecify.annotations.Nullable;

/**
 * How the driver was set, and how well it kept the times.
 *
 * @param url the service's address
 * @param deadlineMillis what requests name as their deadline
 * @param timeoutMillis how long the driver waits for an answer
 * @param inFlightLimit how many requests may wait for an answer at the same time
 * @param seed what the signed contents are made of, besides the requests' numbers
 * @param warmUpRequests how many requests were sent before the run and not measured
 * @param sendLateness how long after its time each request was sent; null if none was sent
 * @param selfTest what the driver achieved against a server that does nothing, before the run; null
 *     if it was not tried
 */
public record DriverSettings(
    String url,
    String keySpec,
    long deadlineMillis,
    long timeoutMillis,
    int inFlightLimit,
    long seed,
    int warmUpRequests,
    @Nullable Latency sendLateness,
    @Nullable NullRate selfTest) {

  /**
   * A rate that was tried against a server in the same process that does nothing.
   *
   * @param keptUp whether every request was sent and answered, the last one at most 0.1 s after the
   *     schedule's end
   * @param sendLatenessP99Millis how late requests were sent, which a machine that is busy with
   *     something else shows first
   */
  public record NullRate(double perSecond, boolean keptUp, double sendLatenessP99Millis) {
    private static final double ON_TIME_MILLIS = 5;

    /** Whether requests were also sent when they were due, within 5 ms at p99. */
    public boolean onTime() {
      return keptUp && sendLatenessP99Millis < ON_TIME_MILLIS;
    }
  }
}
