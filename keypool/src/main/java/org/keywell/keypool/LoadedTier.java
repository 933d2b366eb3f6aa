package org.keywell.keypool;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.KeySpec;

/**
 * The loaded keys of all devices that sign, as those see them who want one: of the devices that
 * work and have a key, the least busy for its weight gives it; of equally busy ones, each has its
 * turn as often as its weight says. A device that was away gets no more than its share afterwards.
 *
 * <p>Thread-safe. No device call is made while the lock is held.
 */
final class LoadedTier {

  /** Longer than the unwrap of a key takes on any device that works. */
  private static final Duration LOADER_STALLS = Duration.ofMillis(500);

  private final ReentrantLock lock;
  private final PoolListener listener;

  /** Replaced when a device is added. */
  private volatile Place[] places = {};

  /** How far the turns have come. */
  private double turn;

  /** A device, and when it is its turn. */
  private static final class Place {
    final Device device;
    double turn;

    Place(Device device) {
      this.device = device;
    }

    boolean has(KeySpec spec) {
      return device.takesRequests() && device.shelves().hasKey(spec);
    }

    KeyOutlook outlook(KeySpec spec) {
      if (has(spec)) {
        return KeyOutlook.LOADED;
      }
      if (!device.takesRequests()
          || device.hsm().isFullToUnwrap()
          || !device.shelves().mayBeLoaded(spec)) {
        return KeyOutlook.NONE;
      }
      return device.loading().stallsFor(LOADER_STALLS) ? KeyOutlook.STALLED : KeyOutlook.COMING;
    }

    boolean makesForOne() {
      return device.role() == DeviceRole.BOTH && device.takesRequests();
    }

    /** A pair that is made needs more room than a key that is unwrapped. */
    boolean mayBring(KeySpec spec, boolean loaded, boolean made) {
      return (loaded && outlook(spec) != KeyOutlook.NONE)
          || (made && makesForOne() && !device.hsm().isFullToGenerate());
    }

    boolean goesBefore(Place other) {
      double load = load() - other.load();
      return load < 0 || (load == 0 && turn < other.turn);
    }

    private double load() {
      return (double) device.atWork() / device.weight();
    }
  }

  /**
   * @param lock the lock of the devices' shelves
   * @param listener is told of each lease
   */
  LoadedTier(ReentrantLock lock, PoolListener listener) {
    this.lock = lock;
    this.listener = listener;
  }

  /** One more device signs, if that is its role. */
  void add(Device device) {
    if (!device.role().signs()) {
      return;
    }
    lock.lock();
    try {
      Place[] more = Arrays.copyOf(places, places.length + 1);
      more[places.length] = new Place(device);
      places = more;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Leases the oldest loaded key of a device.
   *
   * @return empty if none is loaded in a device that works
   * @throws IllegalArgumentException if this kind has no pool
   */
  Optional<KeyLease> lease(KeySpec spec) {
    lock.lock();
    try {
      Place place = next(spec);
      LoadedKey key = place == null ? null : place.device.shelves().lease(spec);
      if (place == null || key == null) {
        return Optional.empty();
      }
      taken(place);
      listener.leased(spec);
      return Optional.of(KeyLease.ofLoaded(place.device, key));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether a key of this kind is loaded, or may be soon.
   *
   * @throws IllegalArgumentException if this kind has no pool
   */
  KeyOutlook outlook(KeySpec spec) {
    lock.lock();
    try {
      KeyOutlook best = KeyOutlook.NONE;
      for (Place place : places) {
        KeyOutlook here = place.outlook(spec);
        best = here.compareTo(best) < 0 ? here : best;
      }
      return best;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The device that makes the next key for one request.
   *
   * @throws HsmException if none that makes keys and signs works
   */
  Device next() {
    lock.lock();
    try {
      Place best = null;
      for (Place place : places) {
        if (place.makesForOne() && (best == null || place.goesBefore(best))) {
          best = place;
        }
      }
      if (best == null) {
        throw new HsmException(Reason.UNAVAILABLE, "no device works that makes keys and signs");
      }
      taken(best);
      return best.device;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether no key of this kind is loaded, and each device that works has no room for one.
   *
   * @param loaded whether keys are loaded for requests
   * @param made whether keys are made for requests
   */
  boolean isFullFor(KeySpec spec, boolean loaded, boolean made) {
    boolean works = false;
    for (Place place : places) {
      if (place.device.takesRequests()) {
        works = true;
        if (!place.device.isFull()) {
          return false;
        }
      }
    }
    return works && noneBrings(spec, loaded, made);
  }

  private boolean noneBrings(KeySpec spec, boolean loaded, boolean made) {
    lock.lock();
    try {
      for (Place place : places) {
        if (place.has(spec) || place.mayBring(spec, loaded, made)) {
          return false;
        }
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Whether each device is known to fail, so that a key that is leased now would be spent. */
  boolean failsToSign() {
    for (Place place : places) {
      if (!place.device.hsm().failsToSign()) {
        return false;
      }
    }
    return true;
  }

  /** Whether no device is left that works and whose orphans are fewer than allowed. */
  boolean atOrphanLimit() {
    boolean reached = false;
    for (Place place : places) {
      if (place.device.takesRequests()) {
        return false;
      }
      reached |= place.device.destroyer().atLimit();
    }
    return reached;
  }

  private @Nullable Place next(KeySpec spec) {
    Place best = null;
    for (Place place : places) {
      if (place.has(spec) && (best == null || place.goesBefore(best))) {
        best = place;
      }
    }
    return best;
  }

  /** Who comes back starts where the others are: it does not make up for what it missed. */
  private void taken(Place place) {
    turn = Math.max(turn, place.turn);
    place.turn = turn + 1.0 / place.device.weight();
  }
}
