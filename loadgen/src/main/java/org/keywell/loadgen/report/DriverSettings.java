package org.keywell.loadgen.report;

import org.jspecify.annotations.Nullable;

/**
 * The driver's settings, and how well it kept to the schedule.
 *
 * @param url the service's address
 * @param deadlineMillis the deadline that requests name
 * @param timeoutMillis how long the driver waits for an answer
 * @param inFlightLimit how many requests may wait for an answer at the same time
 * @param seed what the signed contents are derived from, besides the requests' numbers
 * @param warmUpRequests how many requests were sent before the run and not measured
 * @param sendLateness how long after its time each request was sent; null if none was sent
 * @param selfTest the driver's result against a server that does nothing, before the run; null if
 *     not tried
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
   * A rate tried against a server in the same process that does nothing.
   *
   * @param keptUp whether every request was sent and answered, the last one at most 0.1 s after the
   *     schedule's end
   * @param sendLatenessP99Millis how late requests were sent, the first sign of a machine that is
   *     busy with something else
   */
  public record NullRate(double perSecond, boolean keptUp, double sendLatenessP99Millis) {
    private static final double ON_TIME_MILLIS = 5;

    /** Whether requests were also sent on time, within 5 ms at p99. */
    public boolean onTime() {
      return keptUp && sendLatenessP99Millis < ON_TIME_MILLIS;
    }
  }
}
