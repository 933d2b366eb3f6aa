package org.keywell.keypool;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The loaded keys of one kind, oldest first. Guarded by the pool's lock.
 *
 * <p>INVARIANT: loaded and leased keys, without those that are held, never exceed the capacity. A
 * batch keeps its whole reservation until its end, so there is room for each of its keys. A held
 * key waits for its act's caller and frees its room, so that open acts leave the loaded tier to
 * other requests.
 *
 * <p>Loaders scale up as the shelf drains: the first starts below the low-water mark, the last of n
 * below an n-th of it. So under light use one refills it and signers keep the rest of the machine;
 * all of them work before nothing is left.
 */
final class Shelf {

  private final PoolLimits limits;
  private final int loaders;
  private final ArrayDeque<LoadedKey> keys = new ArrayDeque<>();
  private int onLease;
  private int held;
  private long leased;
  private int inbound;
  private int loads;
  private long lastTurn;
  private long refills;
  private boolean storeDry;
  private boolean loadFailed;

  /**
   * @param loaders how many may work for it at the same time, at least 1
   */
  Shelf(PoolLimits limits, int loaders) {
    this.limits = limits;
    this.loaders = loaders;
  }

  /** Leases the oldest key, if there is one. */
  @Nullable LoadedKey lease() {
    LoadedKey key = keys.poll();
    if (key != null) {
      onLease++;
      leased++;
    }
    return key;
  }

  /** Holds a leased key for its act's caller. */
  void hold() {
    held++;
  }

  /** Ends a lease whose key is dead or no longer the pool's. */
  void leaseEnded(boolean wasHeld) {
    onLease--;
    if (wasHeld) {
      held--;
    }
  }

  /** Takes back a leased, unused key as the oldest. */
  void takeBack(LoadedKey key) {
    onLease--;
    leased--;
    keys.addFirst(key);
  }

  void add(LoadedKey key) {
    keys.add(key);
  }

  Stream<Long> ids() {
    return keys.stream().map(key -> key.stored().id());
  }

  List<LoadedKey> take(Set<Long> ids) {
    List<LoadedKey> taken = keys.stream().filter(key -> ids.contains(key.stored().id())).toList();
    keys.removeIf(key -> ids.contains(key.stored().id()));
    return taken;
  }

  List<LoadedKey> drain() {
    List<LoadedKey> drained = new ArrayList<>(keys);
    keys.clear();
    return drained;
  }

  /** Removes the keys of this epoch and of earlier ones; requests wait for others. */
  List<LoadedKey> endEpoch(long epoch) {
    List<LoadedKey> ended = keys.stream().filter(key -> key.handle().epoch() <= epoch).toList();
    keys.removeAll(ended);
    loadFailed = false;
    return ended;
  }

  int size() {
    return keys.size();
  }

  PoolDepth depth(int loading) {
    return new PoolDepth(loading, keys.size(), onLease, held);
  }

  /** Returns how many keys were leased so far and not taken back. */
  long leased() {
    return leased;
  }

  /** Whether waiting for a key makes sense. */
  boolean mayBeLoaded() {
    return inbound > 0 || (!storeDry && !loadFailed);
  }

  void refilled() {
    refills++;
    storeDry = false;
  }

  /** Whether the shelf needs one more loader. */
  boolean needsLoad() {
    long mark = (long) limits.lowWater() * (loaders - loads);
    return !storeDry && (long) keys.size() * loaders < mark && room() > 0;
  }

  /** Returns 0 if there is no key, 1 at the low-water mark; keys being loaded count. */
  double fullness() {
    return (double) (keys.size() + inbound) / limits.lowWater();
  }

  /** Returns when this shelf was last loaded, in turns of the pool. */
  long lastTurn() {
    return lastTurn;
  }

  /** Reserves room for a batch; there must be room. */
  LoadRequest reserve(long turn) {
    int count = Math.min(limits.batchSize(), room());
    inbound += count;
    loads++;
    lastTurn = turn;
    loadFailed = false;
    return new LoadRequest(limits.spec(), count, refills);
  }

  void finish(LoadRequest request, PoolListener.Load load) {
    inbound -= request.count();
    loads--;
    // If the store was refilled after the request, it is not dry, regardless of what the claim
    // found.
    storeDry = load == PoolListener.Load.STORE_DRY && refills == request.refills();
    loadFailed = load == PoolListener.Load.FAILED;
  }

  private int room() {
    return limits.loadedCapacity() - keys.size() - (onLease - held) - inbound;
  }
}
