package org.keywell.service.sign;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.KeyLease;
import org.keywell.keypool.KeyOutlook;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.service.request.FailureReason;
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

  /** Whether it is known that a request for such a key gets none, since the HSM is full. */
  boolean isFullFor(KeySpec spec) {
    return switch (mode) {
      case ON_THE_FLY -> pools.isFullFor(spec, false, true);
      case POOLED -> pools.isFullFor(spec, true, whenEmpty == EmptyPoolPolicy.GENERATE);
    };
  }

  /**
   * How a request for a key of this kind can begin. Waits for nothing.
   *
   * @return null if it is to wait for a key that is being loaded
   */
  @Nullable Start start(KeySpec spec) {
    return switch (mode) {
      case ON_THE_FLY -> Start.Plain.MAKE_KEY;
      case POOLED -> {
        Optional<KeyLease> lease = pools.lease(spec);
        yield lease.isPresent() ? new Start.Leased(lease.get()) : unloaded(spec);
      }
    };
  }

  private @Nullable Start unloaded(KeySpec spec) {
    return switch (pools.outlook(spec)) {
      case LOADED, COMING -> null;
      case STALLED -> whenEmpty == EmptyPoolPolicy.GENERATE ? Start.Plain.MAKE_KEY : null;
      case NONE ->
          switch (whenEmpty) {
            case GENERATE -> Start.Plain.MAKE_KEY;
            case REFUSE ->
                new Start.Refused(
                    FailureReason.POOL_EMPTY, "no " + spec + " key is left in the pool");
          };
    };
  }

  /**
   * Generates a key for one request.
   *
   * @throws org.keywell.keypool.hsm.HsmException if the device fails
   */
  KeyLease make(KeySpec spec) {
    if (mode == PoolMode.POOLED) {
      pools.missed(spec);
    }
    return pools.generate(spec);
  }

  /** A request ends without a key: the pool is told if that is why. */
  void endsWithoutKey(KeySpec spec) {
    if (mode == PoolMode.POOLED && pools.outlook(spec) != KeyOutlook.LOADED) {
      pools.missed(spec);
    }
  }
}
