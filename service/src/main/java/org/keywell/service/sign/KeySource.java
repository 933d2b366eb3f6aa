package org.keywell.service.sign;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.keywell.keypool.KeyDestroyer;
import org.keywell.keypool.KeyLease;
import org.keywell.keypool.Shelves;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.service.settings.EmptyPoolPolicy;
import org.keywell.service.settings.PoolMode;

/**
 * Where a request's key comes from: the pool, or, in the traditional system and when the pool is
 * empty and the policy allows it, a generation for this request alone. Thread-safe.
 */
public final class KeySource {

  private final Hsm hsm;
  private final Shelves pool;
  private final KeyDestroyer orphans;
  private final PoolMode mode;
  private final EmptyPoolPolicy whenEmpty;

  public KeySource(
      Hsm hsm, Shelves pool, KeyDestroyer orphans, PoolMode mode, EmptyPoolPolicy whenEmpty) {
    this.hsm = hsm;
    this.pool = pool;
    this.orphans = orphans;
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
      case ON_THE_FLY -> onTheFly(spec);
      case POOLED -> {
        Optional<KeyLease> lease = pool.lease(spec, left.get());
        yield switch (whenEmpty) {
          case REFUSE -> lease;
          case GENERATE ->
              lease.or(() -> left.get().isPositive() ? onTheFly(spec) : Optional.empty());
        };
      }
    };
  }

  private Optional<KeyLease> onTheFly(KeySpec spec) {
    return Optional.of(KeyLease.generateOnTheFly(hsm, orphans, spec));
  }
}
