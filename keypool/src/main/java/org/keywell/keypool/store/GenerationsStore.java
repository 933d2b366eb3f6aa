package org.keywell.keypool.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.WrappedKey;

/**
 * The keys under all wrapping keys that a device uses: claimed under the oldest first, so that it
 * can be destroyed, and added under the newest. Places are counted for each wrapping key. A key
 * that comes back after its wrapping key was withdrawn is discarded.
 */
public final class GenerationsStore implements WrappedKeyStore {

  private final Supplier<List<String>> wrappingKeyIds;
  private final Supplier<String> wrapsUnder;
  private final Function<String, JdbcWrappedKeyStore> open;
  private final Map<String, JdbcWrappedKeyStore> stores = new ConcurrentHashMap<>();

  /**
   * @param open returns the store for one wrapping key
   */
  public GenerationsStore(Hsm hsm, Function<String, JdbcWrappedKeyStore> open) {
    this(hsm::wrappingKeyIds, hsm::wrappingKeyId, open);
  }

  GenerationsStore(
      Supplier<List<String>> wrappingKeyIds,
      Supplier<String> wrapsUnder,
      Function<String, JdbcWrappedKeyStore> open) {
    this.wrappingKeyIds = wrappingKeyIds;
    this.wrapsUnder = wrapsUnder;
    this.open = open;
  }

  private JdbcWrappedKeyStore of(String wrappingKeyId) {
    return stores.computeIfAbsent(wrappingKeyId, open);
  }

  private JdbcWrappedKeyStore newest() {
    return of(wrapsUnder.get());
  }

  @Override
  public long add(WrappedKey key) {
    return of(key.wrappingKeyId()).add(key);
  }

  @Override
  public int reserve(KeySpec spec, int max, int wanted) {
    return newest().reserve(spec, max, wanted);
  }

  @Override
  public void keepReserved(KeySpec spec, int keys) {
    String newest = wrapsUnder.get();
    of(newest).keepReserved(spec, keys);
    stores.forEach((id, store) -> {
      if (!id.equals(newest)) {
        store.keepReserved(spec, 0);
      }
    });
  }

  /** Where places were reserved under one wrapping key and others are needed, takes those. */
  @Override
  public void addReserved(List<WrappedKey> keys) {
    Map<String, List<WrappedKey>> byId = new LinkedHashMap<>();
    keys.forEach(key -> byId.computeIfAbsent(key.wrappingKeyId(), _ -> new ArrayList<>()).add(key));
    byId.forEach((id, some) -> {
      JdbcWrappedKeyStore store = of(id);
      if (stores.size() == 1) {
        store.addReserved(some);
      } else if (!store.addIfReserved(some)) {
        // The device changed to this wrapping key after the places were reserved.
        int _ = store.reserve(some.getFirst().spec(), Integer.MAX_VALUE, some.size());
        store.addReserved(some);
      }
    });
  }

  @Override
  public List<StoredKey> claim(KeySpec spec, int max) {
    List<StoredKey> claimed = List.of();
    for (String id : wrappingKeyIds.get()) {
      claimed = of(id).claim(spec, max);
      if (!claimed.isEmpty()) {
        return claimed;
      }
    }
    return claimed;
  }

  @Override
  public Set<Long> used(Collection<StoredKey> keys) {
    return newest().used(keys);
  }

  @Override
  public int putBack(Collection<StoredKey> keys) {
    Set<String> used = Set.copyOf(wrappingKeyIds.get());
    List<StoredKey> back = new ArrayList<>();
    List<Long> withdrawn = new ArrayList<>();
    for (StoredKey key : keys) {
      if (used.contains(key.key().wrappingKeyId())) {
        back.add(key);
      } else {
        withdrawn.add(key.id());
      }
    }
    discard(withdrawn);
    // Each has claims of its own whose commits may not have been answered.
    int count = 0;
    for (String id : used) {
      count += of(id).putBack(back.stream().filter(key -> isUnder(key, id)).toList());
    }
    return count;
  }

  private static boolean isUnder(StoredKey key, String wrappingKeyId) {
    return key.key().wrappingKeyId().equals(wrappingKeyId);
  }

  @Override
  public Set<Long> onLedger(Collection<Long> ids) {
    return newest().onLedger(ids);
  }

  @Override
  public void discard(Collection<Long> ids) {
    newest().discard(ids);
  }

  @Override
  public long count(KeySpec spec) {
    return wrappingKeyIds.get().stream().mapToLong(id -> of(id).count(spec)).sum();
  }

  /** Keys under older wrapping keys are used up, and take no place from those that follow. */
  @Override
  public long countTowardsMax(KeySpec spec) {
    return newest().count(spec);
  }

  @Override
  public int forfeitLeftovers() {
    return newest().forfeitLeftovers();
  }
}
