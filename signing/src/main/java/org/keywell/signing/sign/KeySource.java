package org.keywell.signing.sign;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.KeyLease;
import org.keywell.keypool.KeyOutlook;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.settings.EmptyPoolPolicy;
import org.keywell.settings.PoolMode;
import org.keywell.signing.request.FailureReason;

/**
 * The source of a request's key: the pool, or a generation for this request only, in the
 * traditional system and when the pool is empty and the policy allows it. Thread-safe.
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

  /** Which thread can start a request now. */
  enum Way {
    /** A sign thread: a key is loaded, is generated on the fly, or is not needed. */
    SIGN,
    /** A thread that generates keys. */
    MAKE,
    /** None: a loader may bring a key. */
    WAIT
  }

  /** Returns which thread can start a request for this kind of key now. */
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

  /** Whether a request for this kind is known to get no key because the HSM is full. */
  boolean isFullFor(KeySpec spec) {
    return switch (mode) {
      case ON_THE_FLY -> pools.isFullFor(spec, false, true);
      case POOLED -> pools.isFullFor(spec, true, whenEmpty == EmptyPoolPolicy.GENERATE);
    };
  }

  /**
   * Returns how a sign thread can start a request for this kind of key. Does not wait.
   *
   * @return null if the request must wait for a key to be loaded or generated
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

  /** Informs the pool if a request ends without a key because there is none. */
  void endsWithoutKey(KeySpec spec) {
    if (mode == PoolMode.POOLED && pools.outlook(spec) != KeyOutlook.LOADED) {
      pools.missed(spec);
    }
  }
}
