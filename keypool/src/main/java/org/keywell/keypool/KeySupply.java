package org.keywell.keypool;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.store.StoreException;
import org.keywell.keypool.store.WrappedKeyStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which kind of key to generate next, if any: the one whose next key fills the most
 * emptiness for the time that it takes. Emptiness is the fraction of {@code max-stored} that will
 * be missing in a minute if usage continues as in the last one. It counts squared, so that a cheap
 * kind goes before an expensive one that is about as empty, but not before one that is much
 * emptier. No kind starves: a kind with room waits for the others for at most {@link #PATIENCE}
 * times its own generation time.
 *
 * <p>Keys being generated count as supply: each has a place reserved in the store, so that all
 * instances together never exceed a pool's maximum. Places are reserved for about {@link
 * #AHEAD_NANOS} of work at a time.
 *
 * <p>Thread-safe. The store is counted once per {@code recount}, and after a failure, which may
 * have stored the key all the same; in between, the count follows this instance's own additions.
 */
final class KeySupply implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(KeySupply.class);

  /** The longest wait of a kind for the others, in multiples of its own generation time. */
  static final int PATIENCE = 10;

  private static final double AHEAD_NANOS = Duration.ofMillis(100).toNanos();
  private static final int MAX_AHEAD = 32;

  private static final double LOOKAHEAD_NANOS = Duration.ofMinutes(1).toNanos();

  /** The weight of the latest generation in its kind's mean. */
  private static final double LATEST = 0.125;

  private final WrappedKeyStore store;
  private final List<Kind> kinds = new ArrayList<>();
  private final Duration recount;
  private final LongSupplier nanoClock;
  private boolean countIsKnown;
  private long countedAtNanos;

  /** Total generation time of all kinds. */
  private long spentNanos;

  /** The state of one kind of key. */
  private static final class Kind {
    final KeySpec spec;
    final int max;
    long stored;
    int inFlight;

    /** Reserved places that are not in use. */
    int reserved;

    /** Whether other instances have the remaining room; until the next count. */
    boolean takenByOthers;

    long generated;

    /** Mean generation time; next to nothing before the first, so that it is soon known. */
    double meanNanos = 1;

    /** Keys that left the store in about the last minute. */
    double used;

    /** {@link #spentNanos} when a key was last stored, or the pool was last seen full. */
    long servedAtNanos;

    Kind(PoolLimits limits) {
      this.spec = limits.spec();
      this.max = limits.maxStored();
    }

    boolean hasRoom() {
      return !takenByOthers && stored + inFlight < max;
    }

    int ahead() {
      // Before the first key of a kind, its generation time is unknown.
      return generated == 0 ? 1 : (int) Math.clamp(AHEAD_NANOS / meanNanos, 1, MAX_AHEAD);
    }

    double benefit() {
      double emptiness = Math.min(1, (max - stored - inFlight + used) / max);
      return emptiness * emptiness / meanNanos;
    }
  }

  KeySupply(
      WrappedKeyStore store,
      Collection<PoolLimits> limits,
      Duration recount,
      LongSupplier nanoClock) {
    this.store = store;
    limits.stream().filter(limit -> limit.maxStored() > 0).map(Kind::new).forEach(kinds::add);
    this.recount = recount;
    this.nanoClock = nanoClock;
  }

  /**
   * Reserves a place for one key. The caller ends the reservation with {@link #stored}, {@link
   * #failed} or {@link #cancelled}.
   *
   * @return the kind to generate; empty if every pool is full
   * @throws org.keywell.keypool.store.StoreException if the store fails
   */
  synchronized Optional<KeySpec> reserve() {
    countIfDue();
    while (true) {
      Optional<Kind> next = longestOverdue().or(this::mostUseful);
      if (next.isEmpty()) {
        return Optional.empty();
      }
      Kind kind = next.get();
      if (kind.reserved == 0) {
        kind.reserved = store.reserve(kind.spec, kind.max, kind.ahead());
      }
      if (kind.reserved > 0) {
        kind.reserved--;
        kind.inFlight++;
        return Optional.of(kind.spec);
      }
      kind.takenByOthers = true;
    }
  }

  /**
   * Reserves a place for one more key of this kind, for callers that generate several in a row, if
   * the kind is the next one and a place is at hand. To be ended as {@link #reserve}.
   */
  synchronized boolean reserveAnother(KeySpec spec) {
    Kind kind = kind(spec);
    if (kind.reserved == 0 || longestOverdue().or(this::mostUseful).orElse(null) != kind) {
      return false;
    }
    kind.reserved--;
    kind.inFlight++;
    return true;
  }

  private Optional<Kind> mostUseful() {
    return kinds.stream().filter(Kind::hasRoom).max(Comparator.comparingDouble(Kind::benefit));
  }

  /** Returns the most overdue kind that is not being generated. */
  private Optional<Kind> longestOverdue() {
    for (Kind kind : kinds) {
      if (!kind.hasRoom()) {
        kind.servedAtNanos = spentNanos;
      }
    }
    return kinds.stream()
        .filter(kind -> kind.inFlight == 0 && patience(kind) >= PATIENCE)
        .max(Comparator.comparingDouble(this::patience));
  }

  /** Returns a kind's wait for the others, in multiples of its own generation time. */
  private double patience(Kind kind) {
    return (spentNanos - kind.servedAtNanos) / kind.meanNanos;
  }

  /**
   * Notes that the reserved key is in the store.
   *
   * @param nanos how long it took
   */
  synchronized void stored(KeySpec spec, long nanos) {
    Kind kind = kind(spec);
    kind.inFlight--;
    kind.stored++;
    kind.generated++;
    spentNanos += nanos;
    kind.servedAtNanos = spentNanos;
    long took = Math.max(1, nanos);
    kind.meanNanos = kind.generated == 1 ? took : kind.meanNanos + LATEST * (took - kind.meanNanos);
  }

  /** Returns how many keys of this kind were generated and stored since the start. */
  synchronized long generated(KeySpec spec) {
    return kinds.stream().filter(kind -> kind.spec == spec).mapToLong(kind -> kind.generated).sum();
  }

  /** Notes that the reserved key came to nothing. */
  synchronized void failed(KeySpec spec) {
    kind(spec).inFlight--;
    countIsKnown = false;
  }

  /** Notes that the reserved key will not be generated. */
  synchronized void cancelled(KeySpec spec) {
    Kind kind = kind(spec);
    kind.inFlight--;
    kind.reserved++;
  }

  /** Gives back the places of keys that will not be generated. */
  @Override
  public synchronized void close() {
    try {
      giveBackPlaces();
    } catch (StoreException e) {
      log.warn("places for keys stay reserved until the next start: {}", e.getMessage());
    }
  }

  /** Keeps the places that are known to be in use. */
  private void giveBackPlaces() {
    for (Kind kind : kinds) {
      kind.reserved = 0;
      store.keepReserved(kind.spec, kind.inFlight);
    }
  }

  private Kind kind(KeySpec spec) {
    return kinds.stream().filter(kind -> kind.spec == spec).findFirst().orElseThrow();
  }

  private void countIfDue() {
    long now = nanoClock.getAsLong();
    if (countIsKnown && now - countedAtNanos < recount.toNanos()) {
      return;
    }
    if (!countIsKnown) {
      // After a failure, it is unknown whether the key has taken its place.
      giveBackPlaces();
    }
    double remembered = Math.max(0, 1 - (now - countedAtNanos) / LOOKAHEAD_NANOS);
    for (Kind kind : kinds) {
      long counted = store.countTowardsMax(kind.spec);
      kind.used = kind.used * remembered + Math.max(0, kind.stored - counted);
      kind.stored = counted;
      kind.takenByOthers = false;
    }
    countIsKnown = true;
    countedAtNanos = now;
  }
}
