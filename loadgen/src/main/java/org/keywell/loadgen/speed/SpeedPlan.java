package org.keywell.loadgen.speed;

import java.time.Duration;
import java.util.List;

/**
 * What a run measures.
 *
 * @param seconds of each measurement
 * @param warmUpSeconds before each measurement, except those that take pairs from the pool
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

  public SpeedPlan {
    clients = List.copyOf(clients);
  }

  Duration time() {
    return Duration.ofSeconds(seconds);
  }

  Duration warmUp() {
    return Duration.ofSeconds(warmUpSeconds);
  }

  /** Returns the processors that each of two servers may use. */
  double quota() {
    return Runtime.getRuntime().availableProcessors() * quotaPercent / 100.0;
  }
}
