package org.keywell.operations.kmip;

import java.util.List;
import java.util.OptionalLong;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.PoolLimits;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.kmip.key.ReadyPairs;
import org.keywell.listener.TlsListener;
import org.keywell.signing.pool.Depth;
import org.keywell.signing.pool.PoolDepths;

/**
 * The KMIP port and its pool of key pairs, as of now. Calls neither HSM nor database. Thread-safe.
 *
 * @param listener the port
 * @param pairs those that clients get
 * @param pools those that are made ahead
 * @param depths of {@code pools}
 */
public record KmipView(TlsListener listener, ReadyPairs pairs, KeyPools pools, PoolDepths depths) {

  /** Returns the kinds that have a pool, with their limits. */
  public List<PoolLimits> kinds() {
    return pools.config().limits();
  }

  /** Returns the number of stored pairs at the last count; empty while the store fails. */
  public OptionalLong stored(KeySpec spec) {
    return depths.of(spec).stream().mapToLong(Depth::stored).findFirst();
  }
}
