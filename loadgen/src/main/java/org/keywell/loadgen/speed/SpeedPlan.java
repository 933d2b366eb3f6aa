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
 */
public record SpeedPlan(int seconds, int warmUpSeconds, List<Integer> clients, int pairs) {
  public SpeedPlan {
    clients = List.copyOf(clients);
  }

  Duration time() {
    return Duration.ofSeconds(seconds);
  }

  Duration warmUp() {
    return Duration.ofSeconds(warmUpSeconds);
  }

  /** Returns the number of measurements. */
  int measurements() {
    return SpeedOperation.values().length * clients.size() * 2;
  }
}
