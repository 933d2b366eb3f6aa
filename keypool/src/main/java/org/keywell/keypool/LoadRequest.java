package org.keywell.keypool;

import org.keywell.keypool.hsm.KeySpec;

/**
 * What {@link Shelves#awaitNeed} asks the loader for. Its {@code count} is reserved in the pool
 * until {@link Shelves#finish}.
 *
 * @param count keys to load, at least 1
 * @param refills the pool's view of the store when it asked, see {@link Shelves#storeRefilled}
 */
public record LoadRequest(KeySpec spec, int count, long refills) {

  /** What a request came to, and so what a lease that finds no key may hope for. */
  public enum Outcome {
    /** The store had keys; there may be more. */
    STORE_HAD_KEYS,
    /** Leases do not wait, and no load starts, until {@link Shelves#storeRefilled}. */
    STORE_DRY,
    /** The device or the store failed: leases do not wait until the next load starts. */
    FAILED
  }
}
