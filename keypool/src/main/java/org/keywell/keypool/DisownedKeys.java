package org.keywell.keypool;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.keywell.keypool.PoolListener.End;
import org.keywell.keypool.store.WrappedKeyStore;

/**
 * Loaded keys that no longer belong to this instance: while it was cut off from the database,
 * another instance took it for gone and forfeited its keys.
 */
final class DisownedKeys {

  private final Shelves shelves;
  private final KeyDestroyer destroyer;
  private final WrappedKeyStore store;
  private final PoolListener listener;

  DisownedKeys(Device device, WrappedKeyStore store, PoolListener listener) {
    this.shelves = device.shelves();
    this.destroyer = device.destroyer();
    this.store = store;
    this.listener = listener;
  }

  /**
   * Destroys them. A request keeps its leased key: the request is closed on record.
   *
   * @return how many there were
   * @throws org.keywell.keypool.store.StoreException if the ledger cannot be read
   */
  int destroy() {
    List<Long> loaded = new ArrayList<>(shelves.loadedIds());
    Set<Long> disowned = new HashSet<>(loaded);
    disowned.removeAll(store.onLedger(loaded));
    List<LoadedKey> taken = shelves.take(disowned);
    for (LoadedKey key : taken) {
      destroyer.destroy(key.handle());
      listener.ended(key.handle().spec(), 1, End.LOST);
    }
    return taken.size();
  }
}
