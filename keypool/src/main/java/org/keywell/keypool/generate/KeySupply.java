package org.keywell.keypool.generate;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.pool.PoolLimits;
import org.keywell.keypool.store.WrappedKeyStore;

/**
 * Decides which kind of key to generate next, if any: the pool that is emptiest in proportion. Keys
 * being generated count as supply, so the generators of one instance never exceed a pool's maximum;
 * instances that share a store may exceed it by what the others have in the making.
 *
 * <p>Thread-safe. The store is counted once in {@code recount}, and after a failure, which may have
 * stored the key all the same; in between, the count follows this instance's own additions.
 */
public final class KeySupply {

  private final WrappedKeyStore store;
  private final List<PoolLimits> limits;
  private final Duration recount;
  private final LongSupplier nanoClock;
  private final Map<KeySpec, Long> stored = new EnumMap<>(KeySpec.class);
  private final Map<KeySpec, Integer> inFlight = new EnumMap<>(KeySpec.class);
  private final Map<KeySpec, Long> generated = new EnumMap<>(KeySpec.class);
  private boolean countIsKnown;
  private long countedAtNanos;

  public KeySupply(
      WrappedKeyStore store,
      Collection<PoolLimits> limits,
      Duration recount,
      LongSupplier nanoClock) {
    this.store = store;
    this.limits = limits.stream().filter(limit -> limit.maxStored() > 0).toList();
    this.recount = recount;
    this.nanoClock = nanoClock;
  }

  /**
   * Reserves the place of one key. The caller ends it with {@link #stored}, {@link #failed} or
   * {@link #cancelled}.
   *
   * @return the kind to generate; empty if every pool is full
   * @throws org.keywell.keypool.store.StoreException if the store cannot be counted
   */
  public synchronized Optional<KeySpec> reserve() {
    countIfDue();
    Optional<KeySpec> next =
        limits.stream()
            .filter(limit -> supply(limit.spec()) < limit.maxStored())
            .min(Comparator.comparingDouble(l -> (double) supply(l.spec()) / l.maxStored()))
            .map(PoolLimits::spec);
    next.ifPresent(spec -> inFlight.merge(spec, 1, Integer::sum));
    return next;
  }

  /** The reserved key is in the store. */
  public synchronized void stored(KeySpec spec) {
    inFlight.merge(spec, -1, Integer::sum);
    stored.merge(spec, 1L, Long::sum);
    generated.merge(spec, 1L, Long::sum);
  }

  /** How many keys of this kind were generated and stored since the start. */
  public synchronized long generated(KeySpec spec) {
    return generated.getOrDefault(spec, 0L);
  }

  /** The reserved key came to nothing. */
  public synchronized void failed(KeySpec spec) {
    inFlight.merge(spec, -1, Integer::sum);
    countIsKnown = false;
  }

  /** The reserved key is not going to be made. */
  public synchronized void cancelled(KeySpec spec) {
    inFlight.merge(spec, -1, Integer::sum);
  }

  private void countIfDue() {
    long now = nanoClock.getAsLong();
    if (countIsKnown && now - countedAtNanos < recount.toNanos()) {
      return;
    }
    limits.forEach(limit -> stored.put(limit.spec(), store.count(limit.spec())));
    countIsKnown = true;
    countedAtNanos = now;
  }

  private long supply(KeySpec spec) {
    return stored.getOrDefault(spec, 0L) + inFlight.getOrDefault(spec, 0);
  }
}
