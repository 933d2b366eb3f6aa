package org.keywell.loadgen.overload;

import java.time.Duration;

/**
 * The thesis's prediction for a constant rate above the base rate (sections 4.5.3 and 4.5.4), with
 * KP = 0: the keys are already loaded.
 *
 * @param queue Q = (CR − BR) · T, the requests that have arrived and are not finished at time T
 * @param latencySeconds L = (KP + Si) · Q, of the request that arrives at time T
 */
public record Prediction(double queue, double latencySeconds) {

  /** Returns the prediction for CR requests per second during the given time. */
  public static Prediction of(BaseRate base, double perSecond, Duration time) {
    double queue = QueueModel.queueLength(perSecond, base.perSecond(), time);
    Duration signing = Duration.ofNanos(Math.round(base.signingMillis() * 1e6));
    Duration latency = QueueModel.latency(Duration.ZERO, signing, queue);
    return new Prediction(queue, latency.toNanos() / 1e9);
  }
}
