package org.keywell.operations.console;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What does not change while the service runs.
 *
 * @param instance {@code keywell.instance}
 * @param version of this program
 * @param mode {@code pooled} or {@code on-the-fly}
 * @param simulatedProfile the device that the HSM is slowed down to; null: its times are its own
 * @param management where the metrics are; null if their port is not fixed
 * @param historySeconds how far the plots reach back
 */
record ConsoleLimits(
    String instance,
    String version,
    String mode,
    @Nullable String simulatedProfile,
    @Nullable Management management,
    int queueLimit,
    int historySeconds,
    List<Pool> pools) {

  /**
   * The port for health and metrics.
   *
   * @param loopback whether only the service's own host can reach it
   */
  record Management(int port, boolean loopback, boolean tls) {}

  /** The limits of one kind of key. */
  record Pool(String keySpec, int maxStored, int loadedCapacity, int lowWater) {}
}
