package org.keywell.service.ops.console;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What does not change while the service runs.
 *
 * @param instance {@code keywell.instance}
 * @param mode {@code pooled} or {@code on-the-fly}
 * @param simulatedProfile the device that the HSM is slowed down to; null: its times are its own
 * @param historySeconds how far the plots reach back
 */
record ConsoleLimits(
    String instance,
    String mode,
    @Nullable String simulatedProfile,
    int queueLimit,
    int historySeconds,
    List<Pool> pools) {

  /** The bounds of one kind of key. */
  record Pool(String keySpec, int maxStored, int loadedCapacity, int lowWater) {}
}
