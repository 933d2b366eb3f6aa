package org.keywell.keypool.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.WrappedKey;

/** A store for tests of the pool, with switchable failure. Thread-safe. */
public final class InMemoryWrappedKeyStore implements WrappedKeyStore {

  /** The methods, for {@link #before}. */
  public enum Call {
    ADD,
    RESERVE,
    KEEP_RESERVED,
    CLAIM,
    USED,
    PUT_BACK,
    ON_LEDGER,
    DISCARD,
    COUNT,
    FORFEIT_LEFTOVERS
  }

  private final Map<Call, Runnable> hooks = new EnumMap<>(Call.class);
  private final TreeMap<Long, StoredKey> stored = new TreeMap<>();
  private final Set<Long> claimed = new HashSet<>();
  private final Set<Long> used = new HashSet<>();
  private final Map<KeySpec, Integer> reserved = new EnumMap<>(KeySpec.class);
  private long lastId;

  /** Makes every further call fail, or work again. */
  public synchronized void failing(boolean on) {
    for (Call call : Call.values()) {
      failing(call, on);
    }
  }

  /** Makes every further call of one method fail, or work again. */
  public synchronized void failing(Call call, boolean on) {
    hooks.remove(call);
    if (on) {
      before(
          call,
          () -> {
            throw new StoreException("switched off", new IllegalStateException());
          });
    }
  }

  /** Runs the hook at the beginning of each further call of the method; what it throws, counts. */
  public synchronized void before(Call call, Runnable hook) {
    hooks.put(call, hook);
  }

  /** The keys that are stored and not claimed, oldest first. */
  public synchronized List<StoredKey> stored() {
    return List.copyOf(stored.values());
  }

  /** Overwrites a stored key, as someone could who can write to the database. */
  public synchronized void tamper(long id, UnaryOperator<WrappedKey> change) {
    stored.computeIfPresent(id, (same, key) -> new StoredKey(id, change.apply(key.key())));
  }

  /** Puts keys on record as used. */
  public synchronized void use(long id) {
    used.add(id);
  }

  /** Ids that were claimed and are not accounted for. */
  public synchronized Set<Long> claimedIds() {
    return Set.copyOf(claimed);
  }

  @Override
  public synchronized long add(WrappedKey key) {
    enter(Call.ADD);
    if (stored.values().stream()
        .anyMatch(other -> Arrays.equals(other.key().publicKey(), key.publicKey()))) {
      throw new StoreException("the public key is stored already", new IllegalStateException());
    }
    stored.put(++lastId, new StoredKey(lastId, key));
    return lastId;
  }

  /** How many places are reserved. */
  public synchronized int reserved(KeySpec spec) {
    return reserved.getOrDefault(spec, 0);
  }

  @Override
  public synchronized int reserve(KeySpec spec, int max, int wanted) {
    enter(Call.RESERVE);
    int room = Math.toIntExact(max - stored(spec) - reserved(spec));
    int granted = Math.clamp(room, 0, wanted);
    reserved.merge(spec, granted, Integer::sum);
    return granted;
  }

  @Override
  public synchronized void keepReserved(KeySpec spec, int keys) {
    enter(Call.KEEP_RESERVED);
    reserved.computeIfPresent(spec, (same, all) -> Math.min(all, keys));
  }

  @Override
  public synchronized void addReserved(List<WrappedKey> keys) {
    KeySpec spec = keys.getFirst().spec();
    if (reserved(spec) < keys.size()) {
      enter(Call.ADD);
      throw new StoreException("there is no place", new IllegalStateException());
    }
    List<Long> added = new ArrayList<>();
    try {
      keys.forEach(key -> added.add(add(key)));
    } catch (StoreException e) {
      added.forEach(stored::remove);
      throw e;
    }
    reserved.merge(spec, -keys.size(), Integer::sum);
  }

  @Override
  public synchronized List<StoredKey> claim(KeySpec spec, int max) {
    enter(Call.CLAIM);
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
  public synchronized Set<Long> used(Collection<StoredKey> keys) {
    enter(Call.USED);
    Set<Long> ids = new HashSet<>(used);
    ids.retainAll(keys.stream().map(StoredKey::id).toList());
    return ids;
  }

  @Override
  public synchronized int putBack(Collection<StoredKey> keys) {
    enter(Call.PUT_BACK);
    int count = 0;
    for (StoredKey key : keys) {
      if (claimed.remove(key.id())) {
        stored.put(key.id(), key);
        count++;
      }
    }
    return count;
  }

  /** Another took this instance for gone, and gave up its keys. */
  public synchronized void forfeitByAnother(Collection<Long> ids) {
    claimed.removeAll(Set.copyOf(ids));
  }

  @Override
  public synchronized Set<Long> onLedger(Collection<Long> ids) {
    enter(Call.ON_LEDGER);
    Set<Long> mine = new HashSet<>(ids);
    mine.retainAll(claimed);
    return mine;
  }

  @Override
  public synchronized void discard(Collection<Long> ids) {
    enter(Call.DISCARD);
    claimed.removeAll(Set.copyOf(ids));
  }

  @Override
  public synchronized long count(KeySpec spec) {
    enter(Call.COUNT);
    return stored(spec);
  }

  private long stored(KeySpec spec) {
    return stored.values().stream().filter(key -> key.key().spec() == spec).count();
  }

  @Override
  public synchronized int forfeitLeftovers() {
    enter(Call.FORFEIT_LEFTOVERS);
    int count = claimed.size();
    claimed.clear();
    reserved.clear();
    return count;
  }

  private void enter(Call call) {
    hooks.getOrDefault(call, () -> {}).run();
  }
}
