package org.keywell.keypool;

import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.store.WrappedKeyStore;

/**
 * One of the devices that the pools work with.
 *
 * @param name unique among them, for operators
 * @param weight its share of the requests, compared with those of the others, at least 1
 * @param hsm was proved
 * @param loaders threads that unwrap keys into it if need be, at least 1; it unwraps as many at the
 *     same time, or the others wait
 * @param store has its wrapping key; one and the same for devices that share theirs
 */
public record PooledHsm(
    String name, DeviceRole role, int weight, int loaders, Hsm hsm, WrappedKeyStore store) {

  /** The name of a device that has none of its own. */
  public static final String SOLE = "hsm";

  /** So many loaders as a device has if nobody says otherwise. */
  public static final int LOADERS = 4;

  /**
   * @throws IllegalArgumentException if weight or loaders are out of their range
   */
  public PooledHsm {
    if (weight < 1) {
      throw new IllegalArgumentException("weight is " + weight + ", expected at least 1");
    }
    if (loaders < 1) {
      throw new IllegalArgumentException("loaders are " + loaders + ", expected at least 1");
    }
  }

  /** With {@link #LOADERS}. */
  public PooledHsm(String name, DeviceRole role, int weight, Hsm hsm, WrappedKeyStore store) {
    this(name, role, weight, LOADERS, hsm, store);
  }

  /** The only device. */
  public static PooledHsm sole(Hsm hsm, WrappedKeyStore store) {
    return new PooledHsm(SOLE, DeviceRole.BOTH, 1, hsm, store);
  }
}
