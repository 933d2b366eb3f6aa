package org.keywell.service.launch;

import java.util.List;
import org.keywell.keypool.PooledHsm;
import org.keywell.keypool.store.WrappedKeyStore;
import org.keywell.settings.StartRefusedException;

/**
 * The stores to fill: one for each wrapping key of a device that generates keys.
 *
 * @param devices those that generate keys
 */
record FillTarget(List<PooledHsm> devices) {

  FillTarget {
    if (devices.isEmpty()) {
      throw new StartRefusedException(
          "fill needs a device that makes keys: none of keywell.hsm.devices has the role generate or both");
    }
  }

  private List<WrappedKeyStore> stores() {
    return devices.stream().map(PooledHsm::store).distinct().toList();
  }

  /** Returns the arguments for all stores together. */
  FillArguments ofAll(FillArguments fill) {
    return new FillArguments(fill.count() * stores().size(), fill.keySpec());
  }

  /**
   * Counts the stored keys under the newest wrapping key, without those that a store has beyond the
   * fill.
   */
  long towards(FillArguments fill) {
    return stores().stream()
        .mapToLong(store -> Math.min(store.countTowardsMax(fill.keySpec()), fill.count()))
        .sum();
  }

  long stored(FillArguments fill) {
    return stores().stream().mapToLong(store -> store.countTowardsMax(fill.keySpec())).sum();
  }
}
