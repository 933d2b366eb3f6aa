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
 * <p>INVARIANT: keys on the shelf and leased, without those that are held, never exceed the
 * capacity. A batch keeps its whole reservation until its end, so there is room for each of its
 * keys. A key that is held waits for its act's caller: it makes room, so that acts which stand open
 * leave the loaded tier to the requests that come.
 *
 * <p>The emptier it is, the more loaders work for it: the first below the low-water mark, the last
 * of n below an n-th of that. So one refills what little use leaves room for, and signers keep the
 * rest of the machine; all of them work before nothing is left.
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
   * @param loaders that may work for it at the same time, at least 1
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

  /** A leased key waits for its act's caller. */
  void hold() {
    held++;
  }

  /** A leased key is no longer live, or not the pool's any more. */
  void leaseEnded(boolean wasHeld) {
    onLease--;
    if (wasHeld) {
      held--;
    }
  }

  /** A key that was leased and not used is the oldest again. */
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

  /** Gives up the keys of this epoch and of earlier ones; requests wait for others. */
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

  /** How many keys were leased so far and not taken back. */
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

  /** Whether one loader more is to work for it, beside those who do. */
  boolean needsLoad() {
    long mark = (long) limits.lowWater() * (loaders - loads);
    return !storeDry && (long) keys.size() * loaders < mark && room() > 0;
  }

  /** 0 if there is no key, 1 at the low-water mark; those that are being loaded count. */
  double fullness() {
    return (double) (keys.size() + inbound) / limits.lowWater();
  }

  /** When this shelf was last loaded, in turns of the pool. */
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
    // A store that was refilled since the request was made is not dry, whatever the claim found.
    storeDry = load == PoolListener.Load.STORE_DRY && refills == request.refills();
    loadFailed = load == PoolListener.Load.FAILED;
  }

  private int room() {
    return limits.loadedCapacity() - keys.size() - (onLease - held) - inbound;
  }
}
