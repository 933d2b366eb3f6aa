package org.keywell.keypool;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.KeySpec;

/**
 * The keys that are live inside one device and ready to sign, in first-in first-out order for each
 * kind. Loaders keep them filled; requests take from them.
 *
 * <p>Thread-safe. No device call is made while the lock is held.
 */
final class Shelves {

  private final PoolListener listener;
  private final Map<KeySpec, Shelf> shelves = new EnumMap<>(KeySpec.class);
  private final ReentrantLock lock;
  private final ShelfLock shelfLock;
  private final Condition needRaised;
  private long turns;
  private boolean closed;

  /** No key of this epoch of the device, or of an earlier one, is live. */
  private long endedEpoch;

  /**
   * @param loaders how many may work for them at the same time, at least 1
   * @param lock shared by all devices
   * @param listener notified of each key that comes back from a lease
   */
  Shelves(Collection<PoolLimits> limits, int loaders, ShelfLock lock, PoolListener listener) {
    this.lock = lock.lock();
    this.shelfLock = lock;
    this.needRaised = this.lock.newCondition();
    this.listener = listener;
    limits.forEach(limit -> shelves.put(limit.spec(), new Shelf(limit, loaders)));
  }

  /** Whether there is a pool of this kind of key. */
  boolean serves(KeySpec spec) {
    return shelves.containsKey(spec);
  }

  /** Leases the oldest loaded key; null if none is loaded. Call with the lock held. */
  @Nullable LoadedKey lease(KeySpec spec) {
    Shelf shelf = shelf(spec);
    LoadedKey key = shelf.lease();
    signalNeed(shelf);
    return key;
  }

  /** Whether a key of this kind is loaded. Call with the lock held. */
  boolean hasKey(KeySpec spec) {
    return shelf(spec).size() > 0;
  }

  /** Whether a key may be loaded soon, so that waiting makes sense. Call with the lock held. */
  boolean mayBeLoaded(KeySpec spec) {
    return !closed && shelf(spec).mayBeLoaded();
  }

  /**
   * Waits until a pool needs a loader, or one more, and reserves room for a batch; the emptiest
   * pool comes first. The caller must end the request with {@link #finish} in any case.
   *
   * @return empty if there was no need in time; a closed pool has none
   */
  Optional<LoadRequest> awaitNeed(Duration maxWait) throws InterruptedException {
    long nanos = maxWait.toNanos();
    lock.lockInterruptibly();
    try {
      while (true) {
        Shelf needy = neediest();
        if (needy != null) {
          LoadRequest request = needy.reserve(++turns);
          // Each need is signalled to one loader; a loader that starts wakes the next.
          if (neediest() != null) {
            needRaised.signal();
          }
          return Optional.of(request);
        }
        if (nanos <= 0) {
          return Optional.empty();
        }
        nanos = needRaised.awaitNanos(nanos);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Adds a key that was loaded for a {@link LoadRequest}.
   *
   * @return false if the pool is closed or the key's epoch has ended; the caller then keeps the key
   */
  boolean add(LoadedKey key) {
    lock.lock();
    try {
      if (isOver(key)) {
        return false;
      }
      shelf(key.handle().spec()).add(key);
    } finally {
      lock.unlock();
    }
    shelfLock.changed();
    return true;
  }

  /** Returns the ids of all keys that are loaded and not leased. */
  List<Long> loadedIds() {
    lock.lock();
    try {
      return shelves.values().stream().flatMap(Shelf::ids).toList();
    } finally {
      lock.unlock();
    }
  }

  /** Removes those keys that are loaded and not leased; the caller owns them. */
  List<LoadedKey> take(Set<Long> ids) {
    lock.lock();
    try {
      List<LoadedKey> taken = new ArrayList<>();
      for (Shelf shelf : shelves.values()) {
        taken.addAll(shelf.take(ids));
        signalNeed(shelf);
      }
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /** Ends a request and frees the room that it reserved and did not fill. */
  void finish(LoadRequest request, PoolListener.Load load) {
    lock.lock();
    try {
      Shelf shelf = shelf(request.spec());
      shelf.finish(request, load);
      signalNeed(shelf);
    } finally {
      lock.unlock();
    }
    shelfLock.changed();
  }

  /** Notes that the store may have keys of this kind again. Ignores kinds without a pool. */
  void storeRefilled(KeySpec spec) {
    lock.lock();
    try {
      Shelf shelf = shelves.get(spec);
      if (shelf != null) {
        shelf.refilled();
        signalNeed(shelf);
      }
    } finally {
      lock.unlock();
    }
  }

  /** As {@link #storeRefilled(KeySpec)}, for every kind. */
  void storeRefilled() {
    shelves.keySet().forEach(this::storeRefilled);
  }

  /** Returns how many keys of this kind are loaded and not leased. */
  int loaded(KeySpec spec) {
    lock.lock();
    try {
      return shelf(spec).size();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns how many keys of this kind are loaded, and how many leased.
   *
   * @param loading how many are on their way
   */
  PoolDepth depth(KeySpec spec, int loading) {
    lock.lock();
    try {
      return shelf(spec).depth(loading);
    } finally {
      lock.unlock();
    }
  }

  /** Returns how many keys of this kind were leased since the start and not returned unused. */
  long leased(KeySpec spec) {
    lock.lock();
    try {
      return shelf(spec).leased();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Closes the pool, so that leases find it empty. Returns the loaded keys; the caller owns them.
   */
  List<LoadedKey> close() {
    lock.lock();
    try {
      closed = true;
      List<LoadedKey> left = new ArrayList<>();
      shelves.values().forEach(shelf -> left.addAll(shelf.drain()));
      return left;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends an epoch of the device, and all before it: their keys can no longer be leased, taken back
   * or added.
   *
   * @return their keys that were loaded and not leased; the caller owns them
   */
  List<LoadedKey> endEpoch(long epoch) {
    lock.lock();
    try {
      endedEpoch = Math.max(endedEpoch, epoch);
      List<LoadedKey> left = new ArrayList<>();
      shelves.values().forEach(shelf -> left.addAll(shelf.endEpoch(endedEpoch)));
      needRaised.signal();
      return left;
    } finally {
      lock.unlock();
    }
  }

  /** Whether the device has lost the keys of this epoch. */
  boolean hasEnded(long epoch) {
    lock.lock();
    try {
      return epoch <= endedEpoch;
    } finally {
      lock.unlock();
    }
  }

  private boolean isOver(LoadedKey key) {
    return closed || key.handle().epoch() <= endedEpoch;
  }

  /** Holds a leased key for its act's caller: another may be loaded in its place. */
  void hold(LoadedKey key) {
    lock.lock();
    try {
      Shelf shelf = shelf(key.handle().spec());
      shelf.hold();
      signalNeed(shelf);
    } finally {
      lock.unlock();
    }
  }

  /** Frees the room of a leased key that is no longer live in the device. */
  void leaseEnded(LoadedKey key, boolean wasHeld) {
    lock.lock();
    try {
      Shelf shelf = shelf(key.handle().spec());
      shelf.leaseEnded(wasHeld);
      signalNeed(shelf);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes a leased key back. Returns false if the pool is closed or the key's epoch has ended; the
   * lease then keeps the key.
   */
  boolean takeBack(LoadedKey key) {
    lock.lock();
    try {
      if (isOver(key)) {
        return false;
      }
      shelf(key.handle().spec()).takeBack(key);
    } finally {
      lock.unlock();
    }
    listener.returned(key.handle().spec());
    shelfLock.changed();
    return true;
  }

  private void signalNeed(Shelf shelf) {
    if (shelf.needsLoad()) {
      needRaised.signal();
    }
  }

  /** Equally empty shelves take turns, so that a kind in heavy use does not starve the others. */
  private @Nullable Shelf neediest() {
    if (closed) {
      return null;
    }
    return shelves.values().stream()
        .filter(Shelf::needsLoad)
        .min(Comparator.comparingDouble(Shelf::fullness).thenComparingLong(Shelf::lastTurn))
        .orElse(null);
  }

  private Shelf shelf(KeySpec spec) {
    Shelf shelf = shelves.get(spec);
    if (shelf == null) {
      throw new IllegalArgumentException("no pool is configured for " + spec);
    }
    return shelf;
  }
}
