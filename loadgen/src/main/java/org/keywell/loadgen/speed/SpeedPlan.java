package org.keywell.loadgen.speed;

import java.time.Duration;
import java.util.List;

/**
 * What a run measures.
 *
 * @param seconds of each measurement
 * @param warmUpSeconds before each measurement; pairs from the pool warm up for less, since a
 *     quarter of them has to do
 * @param clients numbers of clients that work at the same time
 * @param pairs that the pool has before each measurement that takes from it; such a measurement
 *     ends when they are used
 * @param quotaPercent of the machine's processor time for each of two servers; 0: they are not
 *     measured
 */
public record SpeedPlan(
    int seconds, int warmUpSeconds, List<Integer> clients, int pairs, int quotaPercent) {

  /** What two servers are measured with, as in the publication: no pool. */
  static final List<SpeedOperation> OF_TWO_SERVERS =
      List.of(
          SpeedOperation.GET,
          SpeedOperation.WRAP,
          SpeedOperation.CREATE_AES,
          SpeedOperation.CREATE_EC,
          SpeedOperation.RSA_WITHOUT_POOL);

  private static final int WARM_UP_PART = 4;

  public SpeedPlan {
    clients = List.copyOf(clients);
  }

  Duration time() {
    return Duration.ofSeconds(seconds);
  }

  Duration warmUp() {
    return Duration.ofSeconds(warmUpSeconds);
  }

  /** Returns how many of the pairs are taken before a measurement, at most. */
  int pairsToWarmUp() {
    return warmUpSeconds > 0 ? pairs / WARM_UP_PART : 0;
  }

  /** Returns the processors that each of two servers may use. */
  double quota() {
    return Runtime.getRuntime().availableProcessors() * quotaPercent / 100.0;
  }
}
