package org.keywell.loadgen.schedule;

/**
 * Consecutive requests that are due at equal intervals.
 *
 * @param from the first request's number; the schedule's first request is number 1
 * @param to the last request's number
 * @param delayNanos from one request to the next, also from the step's last request to the next
 *     step's first; more than 0
 * @param inferred whether the step is not in the source but inferred from it
 */
public record Step(int from, int to, long delayNanos, boolean inferred) {

  public Step {
    if (from < 1 || to < from || delayNanos <= 0) {
      throw new IllegalArgumentException(
          "no step: from %d to %d, %d ns apart".formatted(from, to, delayNanos));
    }
  }

  public int requests() {
    return to - from + 1;
  }

  public long durationNanos() {
    return Math.multiplyExact(requests(), delayNanos);
  }

  public double perSecond() {
    return 1e9 / delayNanos;
  }
}
