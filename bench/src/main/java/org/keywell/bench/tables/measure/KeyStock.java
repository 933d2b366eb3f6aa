package org.keywell.bench.tables.measure;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.keypool.store.StoredKey;
import org.keywell.keypool.store.WrappedKeyStore;

/**
 * The keys for signing; as always, each signs once. They are generated and unwrapped on the device
 * as it is, even if one is simulated: what is not measured need not take long.
 */
final class KeyStock {
  static final KeySpec SPEC = KeySpec.RSA_2048;

  private final Hsm device;
  private final WrappedKeyStore store;

  KeyStock(Hsm device, WrappedKeyStore store) {
    this.device = device;
    this.store = store;
  }

  /** Generates keys on all processors until {@code count} are stored or the meter stops it. */
  void fill(int count, Meter meter) throws InterruptedException {
    int missing = (int) Math.max(0, count - store.count(SPEC));
    for (int there = missing; there < count; there++) {
      meter.advance();
    }
    AtomicInteger left = new AtomicInteger(missing);
    int threads = Runtime.getRuntime().availableProcessors();
    try (ExecutorService makers = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        running.add(
            makers.submit(() -> {
              while (!meter.stopped() && left.getAndDecrement() > 0) {
                store.add(makeOne());
                meter.advance();
              }
            }));
      }
      for (Future<?> maker : running) {
        var _ = Outcomes.of(maker);
      }
    }
  }

  /** Generates and wraps a key and leaves nothing of it in the device. */
  WrappedKey makeOne() {
    return wrapped(device, device.generateExtractable(SPEC));
  }

  /** Wraps a key, as in the pool: its live copy is destroyed before the wrapped one is stored. */
  static WrappedKey wrapped(Hsm device, LiveKeyPair pair) {
    try {
      return device.wrap(pair);
    } finally {
      var _ = device.destroy(pair.privateKey());
    }
  }

  /**
   * Takes keys out of the store and unwraps them.
   *
   * @throws ExperimentFailedException if fewer are stored
   */
  List<LoadedKey> load(int count) {
    List<LoadedKey> loaded = new ArrayList<>();
    for (StoredKey stored : claim(count)) {
      loaded.add(new LoadedKey(stored, device.unwrap(stored.key())));
    }
    return loaded;
  }

  /** Takes keys out of the store. */
  List<StoredKey> claim(int count) {
    List<StoredKey> claimed = store.claim(SPEC, count);
    if (claimed.size() < count) {
      throw new ExperimentFailedException(
          "%d keys are needed and %d are stored".formatted(count, claimed.size()));
    }
    return claimed;
  }

  /** Puts back keys that were never unwrapped to sign. */
  void putBack(Collection<StoredKey> unused) {
    int back = store.putBack(unused);
    if (back < unused.size()) {
      throw new ExperimentFailedException(
          "of %d keys, only %d came back into the store".formatted(unused.size(), back));
    }
  }

  /** Removes loaded keys from the ledger; {@link Workbench#settle} destroys those still live. */
  void settle(Collection<LoadedKey> loaded) {
    store.discard(loaded.stream().map(key -> key.stored().id()).toList());
  }
}
