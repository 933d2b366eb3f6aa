package org.keywell.kmip.key;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.store.JdbcWrappedKeyStore;
import org.keywell.keypool.store.StoredKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Key pairs of the pool that are claimed for clients and not theirs yet. They are claimed in
 * batches, so that most clients do not wait for a claim. Thread-safe.
 *
 * <p>{@link #close} puts back what is left. After a crash it is forfeited, as other claimed keys.
 */
public final class ReadyPairs implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(ReadyPairs.class);

  private static final int BATCH = 32;

  private final JdbcWrappedKeyStore store;
  private final Map<KeySpec, Queue<StoredKey>> ready = new EnumMap<>(KeySpec.class);
  private boolean closed;

  /**
   * @param store the pool under the wrapping key of managed keys
   * @param pooled the kinds that have a pool
   */
  public ReadyPairs(JdbcWrappedKeyStore store, Set<KeySpec> pooled) {
    this.store = store;
    pooled.forEach(spec -> ready.put(spec, new ArrayDeque<>()));
  }

  /** Returns the store, which ends the claim when a pair has its owner. */
  public JdbcWrappedKeyStore store() {
    return store;
  }

  /**
   * Takes a pair. Nobody else gets it.
   *
   * @return empty if the pool has none
   * @throws org.keywell.keypool.store.StoreException if the store fails
   */
  public synchronized Optional<StoredKey> take(KeySpec spec) {
    Queue<StoredKey> pairs = ready.get(spec);
    if (pairs == null || closed) {
      return Optional.empty();
    }
    if (pairs.isEmpty()) {
      pairs.addAll(claim(spec));
    }
    if (pairs.isEmpty()) {
      log.debug("no {} pair is ready", spec.label());
    }
    return Optional.ofNullable(pairs.poll());
  }

  private List<StoredKey> claim(KeySpec spec) {
    List<StoredKey> claimed = store.claim(spec, BATCH);
    Set<Long> used = store.used(claimed);
    List<StoredKey> good = new ArrayList<>();
    List<Long> bad = new ArrayList<>();
    for (StoredKey key : claimed) {
      if (key.isCanonical() && !used.contains(key.id())) {
        good.add(key);
      } else {
        bad.add(key.id());
      }
    }
    store.discard(bad);
    return good;
  }

  @Override
  public synchronized void close() {
    closed = true;
    List<StoredKey> left = new ArrayList<>();
    ready
        .values()
        .forEach(pairs -> {
          left.addAll(pairs);
          pairs.clear();
        });
    if (!left.isEmpty()) {
      int _ = store.putBack(left);
    }
  }
}
