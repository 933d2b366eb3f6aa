package org.keywell.keypool;

import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.store.WrappedKeyStore;

/**
 * One of the devices that the pools work with.
 *
 * @param name unique among them, for operators
 * @param weight its share of the requests, compared with those of the others, at least 1
 * @param hsm was proved
 * @param store has its wrapping key; one and the same for devices that share theirs
 */
public record PooledHsm(String name, DeviceRole role, int weight, Hsm hsm, WrappedKeyStore store) {

  /** The name of a device that has none of its own. */
  public static final String SOLE = "hsm";

  /**
   * @throws IllegalArgumentException if the weight is out of its range
   */
  public PooledHsm {
    if (weight < 1) {
      throw new IllegalArgumentException("weight is " + weight + ", expected at least 1");
    }
  }

  /** The only device. */
  public static PooledHsm sole(Hsm hsm, WrappedKeyStore store) {
    return new PooledHsm(SOLE, DeviceRole.BOTH, 1, hsm, store);
  }
}
