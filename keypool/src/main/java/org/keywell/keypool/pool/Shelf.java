package org.keywell.keypool.pool;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The loaded keys of one kind, oldest first. Guarded by the pool's lock. */
final class Shelf {

  private final PoolLimits limits;
  private final ArrayDeque<LoadedKey> keys = new ArrayDeque<>();
  private int inbound;
  private long leased;
  private long refills;
  private boolean storeDry;

  Shelf(PoolLimits limits) {
    this.limits = limits;
  }

  @Nullable LoadedKey poll() {
    LoadedKey key = keys.poll();
    if (key != null) {
      leased++;
    }
    return key;
  }

  long leased() {
    return leased;
  }

  void add(LoadedKey key) {
    keys.add(key);
  }

  /** A key that was leased and not used is the oldest again. */
  void addFirst(LoadedKey key) {
    keys.addFirst(key);
    leased--;
  }

  List<LoadedKey> drain() {
    List<LoadedKey> drained = new ArrayList<>(keys);
    keys.clear();
    return drained;
  }

  int size() {
    return keys.size();
  }

  boolean storeDry() {
    return storeDry;
  }

  void refilled() {
    refills++;
    storeDry = false;
  }

  /** Keys being loaded count as supply, so that two loads never overshoot the capacity. */
  boolean needsLoad() {
    return !storeDry && keys.size() + inbound < limits.lowWater();
  }

  LoadRequest reserve() {
    int count = Math.min(limits.batchSize(), limits.loadedCapacity() - keys.size() - inbound);
    inbound += count;
    return new LoadRequest(limits.spec(), count, refills);
  }

  /** A store that was refilled since the request was made is not dry, whatever the claim found. */
  void finish(LoadRequest request, boolean foundStoreDry) {
    inbound -= request.count();
    storeDry = foundStoreDry && refills == request.refills();
  }
}
