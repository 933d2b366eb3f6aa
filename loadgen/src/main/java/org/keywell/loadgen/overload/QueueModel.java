package org.keywell.loadgen.overload;

import java.time.Duration;
import java.util.Optional;

/**
 * The thesis's formulas for queue and latency at a constant rate of requests (sections 4.5 and
 * 4.6). They assume even arrivals and service times: below the base rate there is no queue at all.
 * Rates are per second.
 */
public final class QueueModel {

  private QueueModel() {}

  /**
   * Returns BR, the highest rate at which the queue does not grow: each lane takes one request
   * after the other (section 4.5.1).
   *
   * @param keyPreparation KP, what a request's key costs on the lane: the generation time on the
   *     fly, 0 with keys that are ready
   * @param signing Si
   * @param lanes how many requests are processed at a time; at least 1
   * @throws IllegalArgumentException if the two times together are not more than 0, or there is no
   *     lane
   */
  public static double baseRatePerSecond(Duration keyPreparation, Duration signing, int lanes) {
    return lanes / seconds(serviceTime(keyPreparation, signing, lanes));
  }

  /**
   * Returns Q = (CR − BR) · T, the queue's length after a time at a constant rate, without any
   * limit; 0 if CR is at most BR (section 4.6).
   *
   * @throws IllegalArgumentException if a value is negative or not finite
   */
  public static double queueLength(
      double currentRatePerSecond, double baseRatePerSecond, Duration time) {
    double growth = growthPerSecond(currentRatePerSecond, baseRatePerSecond);
    if (time.isNegative()) {
      throw new IllegalArgumentException("a time is not negative: " + time);
    }
    return growth * seconds(time);
  }

  /**
   * Returns when a queue that grows at CR − BR is full; empty if never, since CR is at most BR.
   *
   * @param queueLimit more than 0
   * @throws IllegalArgumentException if a value is out of range
   */
  public static Optional<Duration> timeUntilFull(
      double currentRatePerSecond, double baseRatePerSecond, double queueLimit) {
    double growth = growthPerSecond(currentRatePerSecond, baseRatePerSecond);
    if (!(queueLimit > 0) || Double.isInfinite(queueLimit)) {
      throw new IllegalArgumentException("a queue's limit is more than 0, not " + queueLimit);
    }
    return growth == 0 ? Optional.empty() : Optional.of(ofSeconds(queueLimit / growth));
  }

  /**
   * Returns L = (KP + Si) · Q, how long a request waits behind a queue of this length (section
   * 4.5.4). With several lanes the queue moves as many times faster: divide by them.
   *
   * @param queue at least 0; fractions are allowed
   * @throws IllegalArgumentException if a value is negative or not finite
   */
  public static Duration latency(Duration keyPreparation, Duration signing, double queue) {
    if (!(queue >= 0) || Double.isInfinite(queue)) {
      throw new IllegalArgumentException("a queue's length is at least 0, not " + queue);
    }
    return ofSeconds(seconds(serviceTime(keyPreparation, signing, 1)) * queue);
  }

  private static double growthPerSecond(double currentRate, double baseRate) {
    if (!(currentRate >= 0) || !(baseRate >= 0) || Double.isInfinite(currentRate + baseRate)) {
      throw new IllegalArgumentException(
          "rates are at least 0, not " + currentRate + " and " + baseRate);
    }
    return Math.max(0, currentRate - baseRate);
  }

  private static Duration serviceTime(Duration keyPreparation, Duration signing, int lanes) {
    Duration both = keyPreparation.plus(signing);
    if (keyPreparation.isNegative() || signing.isNegative() || both.isZero() || lanes < 1) {
      throw new IllegalArgumentException(
          "a service time is more than 0 on at least 1 lane, not %s and %s on %d"
              .formatted(keyPreparation, signing, lanes));
    }
    return both;
  }

  private static double seconds(Duration duration) {
    return duration.getSeconds() + duration.getNano() / 1e9;
  }

  private static Duration ofSeconds(double seconds) {
    // In two parts: nanoseconds reach only 292 years, and an overloaded queue grows beyond that.
    double whole = Math.floor(seconds);
    return Duration.ofSeconds((long) whole, Math.round((seconds - whole) * 1e9));
  }
}
