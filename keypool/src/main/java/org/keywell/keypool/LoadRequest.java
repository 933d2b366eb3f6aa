package org.keywell.keypool;

import org.keywell.keypool.hsm.KeySpec;

/**
 * A request of {@link Shelves#awaitNeed} to a loader. Its {@code count} is reserved in the pool
 * until {@link Shelves#finish}.
 *
 * @param count keys to load, at least 1
 * @param refills the pool's view of the store when it asked, see {@link Shelves#storeRefilled}
 */
record LoadRequest(KeySpec spec, int count, long refills) {}
