package org.keywell.plan;

import java.time.Duration;

/**
 * The checked input of a plan.
 *
 * @param fleet the available HSMs, with one queue and one pool
 * @param queueLimit how many requests may wait
 * @param normalResponse the longest acceptable response time outside the peak hours
 * @param peakResponse in the peak hours
 * @param bytesPerStoredKey the size of a stored key in the database
 */
record PlanInput(
    Week week,
    Fleet fleet,
    int queueLimit,
    Duration normalResponse,
    Duration peakResponse,
    double bytesPerStoredKey) {

  Duration responseLimit(HourKind kind) {
    return kind == HourKind.PEAK ? peakResponse : normalResponse;
  }
}
