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
 * The loaded keys of all signing devices, as requests see them. Of the working devices that have a
 * key, the least busy relative to its weight provides it; equally busy ones take turns by weight. A
 * device that was away gets no more than its share afterwards.
 *
 * <p>Thread-safe. No device call is made while the lock is held.
 */
final class LoadedTier {

  /** Longer than any working device takes to unwrap a key. */
  private static final Duration LOADER_STALLS = Duration.ofMillis(500);

  private final ReentrantLock lock;
  private final PoolListener listener;

  /** Replaced when a device is added. */
  private volatile Place[] places = {};

  /** The turn last taken. */
  private double turn;

  /** A device and its next turn. */
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

    /** A generated pair needs more room than an unwrapped key. */
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
   * @param listener notified of each lease
   */
  LoadedTier(ReentrantLock lock, PoolListener listener) {
    this.lock = lock;
    this.listener = listener;
  }

  /** Adds a device if its role includes signing. */
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
   * @return empty if none is loaded in a working device
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
   * Returns the device to generate a key for one request.
   *
   * @throws HsmException if no working device both generates and signs
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
   * Whether no key of this kind is loaded, and no working device has room for one.
   *
   * @param loaded whether keys are loaded for requests
   * @param made whether keys are generated for requests
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

  /** Whether every device is known to fail, so that a key leased now would be spent. */
  boolean failsToSign() {
    for (Place place : places) {
      if (!place.device.hsm().failsToSign()) {
        return false;
      }
    }
    return true;
  }

  /** Whether no device takes requests, and at least one is at its orphan limit. */
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

  /** A returning device starts level with the others: it does not make up for missed turns. */
  private void taken(Place place) {
    turn = Math.max(turn, place.turn);
    place.turn = turn + 1.0 / place.device.weight();
  }
}
