package org.keywell.keypool.pool;

import org.keywell.keypool.hsm.KeySpec;

/**
 * What {@link KeyPool#awaitNeed} asks the loader for. Its {@code count} is reserved in the pool
 * until {@link KeyPool#finish}.
 *
 * @param count keys to load, at least 1
 * @param refills the pool's view of the store when it asked, see {@link KeyPool#storeRefilled}
 */
public record LoadRequest(KeySpec spec, int count, long refills) {}
