package org.keywell.keypool;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.store.WrappedKeyStore;

/** The stored keys under one wrapping key and its generations, and the devices. Thread-safe. */
final class StoredTier {

  private final WrappedKeyStore store;
  private final KeySupply supply;
  private final List<Shelves> loaded = new CopyOnWriteArrayList<>();

  StoredTier(WrappedKeyStore store, PoolConfig config, LongSupplier nanoClock) {
    this.store = store;
    this.supply = new KeySupply(store, config.limits(), config.recount(), nanoClock);
  }

  /** Adds a device that has the wrapping key. */
  void add(Shelves shelves) {
    loaded.add(shelves);
  }

  WrappedKeyStore store() {
    return store;
  }

  KeySupply supply() {
    return supply;
  }

  /** Notes that the store may have keys of this kind again. */
  void refilled(KeySpec spec) {
    loaded.forEach(shelves -> shelves.storeRefilled(spec));
  }
}
