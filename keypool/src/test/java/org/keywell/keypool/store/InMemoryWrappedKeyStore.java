package org.keywell.keypool.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.WrappedKey;

/** A store for tests of the pool, with switchable failure. Thread-safe. */
public final class InMemoryWrappedKeyStore implements WrappedKeyStore {

  private final TreeMap<Long, StoredKey> stored = new TreeMap<>();
  private final Set<Long> claimed = new HashSet<>();
  private long lastId;
  private boolean failing;

  /** Makes every further call fail, or work again. */
  public synchronized void failing(boolean on) {
    failing = on;
  }

  /** Ids that were claimed and are not accounted for. */
  public synchronized Set<Long> claimedIds() {
    return Set.copyOf(claimed);
  }

  @Override
  public synchronized long add(WrappedKey key) {
    check();
    if (stored.values().stream()
        .anyMatch(other -> Arrays.equals(other.key().publicKey(), key.publicKey()))) {
      throw new StoreException("the public key is stored already", new IllegalStateException());
    }
    stored.put(++lastId, new StoredKey(lastId, key));
    return lastId;
  }

  @Override
  public synchronized List<StoredKey> claim(KeySpec spec, int max) {
    check();
    if (max < 1) {
      throw new IllegalArgumentException("a claim takes at least 1 key, not " + max);
    }
    List<StoredKey> taken =
        new ArrayList<>(
            stored.values().stream().filter(key -> key.key().spec() == spec).limit(max).toList());
    taken.forEach(key -> {
      stored.remove(key.id());
      claimed.add(key.id());
    });
    return taken;
  }

  @Override
  public synchronized int putBack(Collection<StoredKey> keys) {
    check();
    int count = 0;
    for (StoredKey key : keys) {
      if (claimed.remove(key.id())) {
        stored.put(key.id(), key);
        count++;
      }
    }
    return count;
  }

  @Override
  public synchronized void discard(Collection<Long> ids) {
    check();
    claimed.removeAll(Set.copyOf(ids));
  }

  @Override
  public synchronized long count(KeySpec spec) {
    check();
    return stored.values().stream().filter(key -> key.key().spec() == spec).count();
  }

  @Override
  public synchronized int forfeitLeftovers() {
    check();
    int count = claimed.size();
    claimed.clear();
    return count;
  }

  private void check() {
    if (failing) {
      throw new StoreException("switched off", new IllegalStateException());
    }
  }
}
