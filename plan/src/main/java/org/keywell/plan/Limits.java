package org.keywell.plan;

import java.time.Duration;

/**
 * What callers may be made to bear.
 *
 * @param queue how many requests wait at the most
 * @param normalResponse outside the peak hours
 * @param peakResponse in the peak hours
 */
public record Limits(int queue, Duration normalResponse, Duration peakResponse) {

  Duration response(HourKind kind) {
    return kind == HourKind.PEAK ? peakResponse : normalResponse;
  }
}
