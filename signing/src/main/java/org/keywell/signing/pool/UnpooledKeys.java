package org.keywell.signing.pool;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.keywell.keypool.PoolConfig;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.store.WrappedKeyStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keys that were stored while their kind had a pool, and that nobody uses now: as soon as the
 * settings name a kind, the default kind has no pool.
 */
public final class UnpooledKeys {

  private static final Logger log = LoggerFactory.getLogger(UnpooledKeys.class);

  private final PoolConfig config;
  private final List<? extends WrappedKeyStore> stores;

  /**
   * @param stores one for each wrapping key of this instance
   */
  public UnpooledKeys(PoolConfig config, List<? extends WrappedKeyStore> stores) {
    this.config = config;
    this.stores = List.copyOf(stores);
  }

  /**
   * Warns operators of such keys, in one line.
   *
   * @throws StoreException if the database fails
   */
  public void warn() {
    Map<KeySpec, Long> stored = stored();
    if (!stored.isEmpty()) {
      log.warn(
          "stored keys of kinds that have no pool are not used: {}; {} gives a kind its pool back",
          stored.entrySet().stream()
              .map(kind -> kind.getValue() + " " + kind.getKey())
              .collect(Collectors.joining(", ")),
          stored.keySet().stream()
              .map("keywell.pool.specs.%s.max-stored"::formatted)
              .collect(Collectors.joining(", ")));
    }
  }

  private Map<KeySpec, Long> stored() {
    Map<KeySpec, Long> stored = new EnumMap<>(KeySpec.class);
    for (KeySpec spec : KeySpec.values()) {
      if (!config.specs().contains(spec)) {
        long keys = stores.stream().mapToLong(store -> store.count(spec)).sum();
        if (keys > 0) {
          stored.put(spec, keys);
        }
      }
    }
    return stored;
  }
}
