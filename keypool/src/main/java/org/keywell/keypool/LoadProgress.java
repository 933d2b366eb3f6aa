package org.keywell.keypool;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.keywell.keypool.hsm.KeySpec;

/** The keys on their way into a device, and the progress of loading them. Thread-safe. */
final class LoadProgress {

  private final AtomicLong claims = new AtomicLong();
  private final AtomicInteger batches = new AtomicInteger();
  private final Map<KeySpec, AtomicInteger> keys = new EnumMap<>(KeySpec.class);

  /** When a batch last made progress, by {@link System#nanoTime}. */
  private volatile long movedNanos;

  LoadProgress() {
    Stream.of(KeySpec.values()).forEach(spec -> keys.put(spec, new AtomicInteger()));
  }

  /** Keys that one loader works on. Confined to its thread. */
  final class Batch {
    private final AtomicInteger ofSpec;
    private int left;

    private Batch(AtomicInteger ofSpec) {
      this.ofSpec = ofSpec;
    }

    /** Notes how many keys it has. */
    void claimed(int count) {
      left = count;
      ofSpec.addAndGet(count);
      claims.incrementAndGet();
    }

    /** Notes progress by one key. */
    void moved() {
      movedNanos = System.nanoTime();
    }

    /** Notes that one of its keys is in the loaded tier. */
    void loaded() {
      left--;
      ofSpec.decrementAndGet();
    }

    /** Ends the batch, regardless of its outcome. */
    void ended() {
      ofSpec.addAndGet(-left);
      batches.decrementAndGet();
    }
  }

  /** Starts a batch, which must end with {@link Batch#ended}. */
  Batch begun(KeySpec spec) {
    Batch batch = new Batch(of(spec));
    batch.moved();
    batches.incrementAndGet();
    return batch;
  }

  /** Returns how many keys of this kind are claimed and not yet in the loaded tier. */
  int keys(KeySpec spec) {
    return of(spec).get();
  }

  /** Returns the number of claims so far; if it differs between two looks, keys moved. */
  long claims() {
    return claims.get();
  }

  /**
   * Whether keys are being loaded and none has made progress for this long: the database or the
   * device may hang. Asks neither.
   */
  boolean stallsFor(Duration time) {
    return batches.get() > 0 && System.nanoTime() - movedNanos >= time.toNanos();
  }

  private AtomicInteger of(KeySpec spec) {
    return Objects.requireNonNull(keys.get(spec));
  }
}
