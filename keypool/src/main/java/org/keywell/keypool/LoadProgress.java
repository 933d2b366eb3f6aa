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
  private final AtomicInteger batches = new AtomicInteger();
  private final Map<KeySpec, AtomicInteger> keys = new EnumMap<>(KeySpec.class);

  /** When a batch last came forward, by {@link System#nanoTime}. */
  private volatile long movedNanos;

  LoadProgress() {
    Stream.of(KeySpec.values()).forEach(spec -> keys.put(spec, new AtomicInteger()));
  }

  /** Keys that one loader works on. For its thread alone. */
  final class Batch {
    private final AtomicInteger ofSpec;
    private int left;

    private Batch(AtomicInteger ofSpec) {
      this.ofSpec = ofSpec;
    }

    /** It has so many keys. */
    void claimed(int count) {
      left = count;
      ofSpec.addAndGet(count);
      claims.incrementAndGet();
    }

    /** It has come forward by a key. */
    void moved() {
      movedNanos = System.nanoTime();
    }

    /** One of its keys is in the loaded tier. */
    void loaded() {
      left--;
      ofSpec.decrementAndGet();
    }

    /** It has ended, whatever came of it. */
    void ended() {
      ofSpec.addAndGet(-left);
      batches.decrementAndGet();
    }
  }

  /** A batch is begun, whose end is to be told in any case. */
  Batch begun(KeySpec spec) {
    Batch batch = new Batch(of(spec));
    batch.moved();
    batches.incrementAndGet();
    return batch;
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
   * Whether keys are being loaded and none has come forward for so long: database or device may
   * hang. Asks nobody.
   */
  boolean stallsFor(Duration time) {
    return batches.get() > 0 && System.nanoTime() - movedNanos >= time.toNanos();
  }

  private AtomicInteger of(KeySpec spec) {
    return Objects.requireNonNull(keys.get(spec));
  }
}
