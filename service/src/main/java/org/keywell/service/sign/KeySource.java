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

  /** Who can begin with a request now. */
  enum Way {
    /** A thread that signs: there is a key, or none is needed to end the request. */
    SIGN,
    /** A thread that makes keys. */
    MAKE,
    /** Nobody: a key is being loaded. */
    WAIT
  }

  /** Who can begin with a request for a key of this kind now. */
  Way way(KeySpec spec) {
    return mode == PoolMode.ON_THE_FLY
        ? Way.SIGN
        : switch (pools.outlook(spec)) {
          case LOADED -> Way.SIGN;
          case COMING -> Way.WAIT;
          case STALLED -> whenEmpty == EmptyPoolPolicy.GENERATE ? Way.MAKE : Way.WAIT;
          case NONE -> whenEmpty == EmptyPoolPolicy.GENERATE ? Way.MAKE : Way.SIGN;
        };
  }

  /** Whether it is known that a request for such a key gets none, since the HSM is full. */
  boolean isFullFor(KeySpec spec) {
    return switch (mode) {
      case ON_THE_FLY -> pools.isFullFor(spec, false, true);
      case POOLED -> pools.isFullFor(spec, true, whenEmpty == EmptyPoolPolicy.GENERATE);
    };
  }

  /**
   * How a thread that signs can begin with a request for a key of this kind. Waits for nothing.
   *
   * @return null if it is to wait for a key that is being loaded, or made
   */
  @Nullable Start start(KeySpec spec) {
    return switch (mode) {
      case ON_THE_FLY -> Start.Plain.MAKE_KEY;
      case POOLED -> {
        Optional<KeyLease> lease = pools.lease(spec);
        if (lease.isPresent()) {
          yield new Start.Leased(lease.get());
        }
        yield whenEmpty == EmptyPoolPolicy.REFUSE && pools.outlook(spec) == KeyOutlook.NONE
            ? new Start.Refused(FailureReason.POOL_EMPTY, "no " + spec + " key is left in the pool")
            : null;
      }
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
