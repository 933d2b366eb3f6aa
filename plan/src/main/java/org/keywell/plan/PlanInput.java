package org.keywell.plan;

import java.time.Duration;

/**
 * All that a plan is made from, checked.
 *
 * @param fleet the HSMs that there are, with one queue and one pool
 * @param queueLimit how many requests wait at the most
 * @param normalResponse what callers may be made to bear outside the peak hours
 * @param peakResponse in the peak hours
 * @param bytesPerStoredKey what a stored key takes in the database
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
