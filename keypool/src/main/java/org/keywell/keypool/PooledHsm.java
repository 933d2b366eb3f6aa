package org.keywell.keypool;

import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.store.WrappedKeyStore;

/**
 * A device that the pools work with.
 *
 * @param name unique among the devices, for operators
 * @param weight its share of the requests relative to the other devices, at least 1
 * @param hsm has proved itself
 * @param loaders maximum number of threads that unwrap keys into it, at least 1; if it unwraps
 *     fewer at a time, the others wait
 * @param store the store for its wrapping key, from which it claims
 */
public record PooledHsm(
    String name, DeviceRole role, int weight, int loaders, Hsm hsm, WrappedKeyStore store) {

  /** The name of a device without a configured one. */
  public static final String SOLE = "hsm";

  /** The default number of loaders of a device. */
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

  /** Returns the only device. */
  public static PooledHsm sole(Hsm hsm, WrappedKeyStore store) {
    return new PooledHsm(SOLE, DeviceRole.BOTH, 1, hsm, store);
  }
}
