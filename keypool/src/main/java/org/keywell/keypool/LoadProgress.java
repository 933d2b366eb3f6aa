package org.keywell.keypool;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.keywell.keypool.hsm.KeySpec;

/** The keys that are on their way into a device, and how they come forward. Thread-safe. */
final class LoadProgress {

  private final AtomicLong claims = new AtomicLong();
  private final Map<KeySpec, AtomicInteger> keys = new EnumMap<>(KeySpec.class);

  /** When the batch at hand last came forward, by {@link System#nanoTime}; 0: there is none. */
  private volatile long movedNanos;

  LoadProgress() {
    Stream.of(KeySpec.values()).forEach(spec -> keys.put(spec, new AtomicInteger()));
  }

  /** A batch is begun, or has come forward by a key. */
  void moved() {
    movedNanos = System.nanoTime() | 1;
  }

  /** The batch has so many keys. */
  void claimed(KeySpec spec, int count) {
    of(spec).set(count);
    claims.incrementAndGet();
  }

  /** One of them is in the loaded tier. */
  void loaded(KeySpec spec) {
    of(spec).decrementAndGet();
  }

  /** The batch has ended, whatever came of it. */
  void ended(KeySpec spec) {
    movedNanos = 0;
    of(spec).set(0);
  }

  /** How many keys of this kind are claimed and not yet in the loaded tier. */
  int keys(KeySpec spec) {
    return of(spec).get();
  }

  /** How many claims were made so far: keys moved between two looks if it differs. */
  long claims() {
    return claims.get();
  }

  /**
   * Whether a batch is being loaded and has not come forward by a key for so long: database or
   * device may hang. Asks nobody.
   */
  boolean stallsFor(Duration time) {
    long moved = movedNanos;
    return moved != 0 && System.nanoTime() - moved >= time.toNanos();
  }

  private AtomicInteger of(KeySpec spec) {
    return Objects.requireNonNull(keys.get(spec));
  }
}
