package org.keywell.service.sign;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.keywell.keypool.KeyLease;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.service.settings.EmptyPoolPolicy;
import org.keywell.service.settings.PoolMode;

/**
 * Where a request's key comes from: the pool, or, in the traditional system and when the pool is
 * empty and the policy allows it, a generation for this request alone. Thread-safe.
 */
public final class KeySource {

  private final KeyPools pools;
  private final PoolMode mode;
  private final EmptyPoolPolicy whenEmpty;

  public KeySource(KeyPools pools, PoolMode mode, EmptyPoolPolicy whenEmpty) {
    this.pools = pools;
    this.mode = mode;
    this.whenEmpty = whenEmpty;
  }

  /**
   * Leases a key for one request.
   *
   * @param left what is left of the request's time, asked again after a wait
   * @return empty if the pool is empty and the policy is to refuse, or no time is left
   * @throws org.keywell.keypool.hsm.HsmException if a key had to be generated and the device failed
   */
  public Optional<KeyLease> lease(KeySpec spec, Supplier<Duration> left)
      throws InterruptedException {
    return switch (mode) {
      case ON_THE_FLY -> Optional.of(pools.generate(spec));
      case POOLED ->
          switch (whenEmpty) {
            case REFUSE -> pools.lease(spec, left.get());
            case GENERATE ->
                pools
                    .leaseUnlessStalled(spec, left.get())
                    .or(() ->
                        left.get().isPositive()
                            ? Optional.of(pools.generate(spec))
                            : Optional.empty());
          };
    };
  }
}
