package org.keywell.keypool;

import org.keywell.keypool.hsm.KeySpec;

/**
 * The bounds of the pool of one kind of key.
 *
 * @param spec the kind
 * @param maxStored most keys that the generator stores; 0 stops generation of this kind
 * @param loadedCapacity most keys loaded or leased in a device, except held ones, at least 1
 * @param lowWater when fewer keys than this are loaded, a batch is loaded; 1 to {@code
 *     loadedCapacity}
 * @param batchSize most keys that one load takes, at least 1
 */
public record PoolLimits(
    KeySpec spec, int maxStored, int loadedCapacity, int lowWater, int batchSize) {

  /**
   * @throws IllegalArgumentException if a bound is out of its range; the message names it
   */
  public PoolLimits {
    require(maxStored >= 0, spec, "max-stored", maxStored, "at least 0");
    require(loadedCapacity >= 1, spec, "loaded-capacity", loadedCapacity, "at least 1");
    require(
        lowWater >= 1 && lowWater <= loadedCapacity,
        spec,
        "low-water",
        lowWater,
        "1 to loaded-capacity (" + loadedCapacity + ")");
    require(batchSize >= 1, spec, "batch-size", batchSize, "at least 1");
  }

  private static void require(
      boolean holds, KeySpec spec, String name, int value, String expected) {
    if (!holds) {
      throw new IllegalArgumentException(
          "pool " + spec + ": " + name + " is " + value + ", expected " + expected);
    }
  }
}
