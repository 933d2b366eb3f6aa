package org.keywell.keypool.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.pool.KeyPool;
import org.keywell.keypool.pool.LoadRequest;
import org.keywell.keypool.pool.LoadedKey;
import org.keywell.keypool.pool.OrphanKeys;
import org.keywell.keypool.store.StoredKey;
import org.keywell.keypool.store.WrappedKeyStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills the loaded tier: when a pool is below its low-water mark, claims a batch from the store and
 * unwraps it into the device. One thread runs it, as in the thesis (section 3.2).
 */
public final class KeyLoader {

  /** What a call of {@link #loadNext} came to. */
  public enum Step {
    LOADED,
    /** A pool needs keys and the store has none. */
    STORE_DRY,
    NO_NEED
  }

  private static final Logger log = LoggerFactory.getLogger(KeyLoader.class);

  private final Hsm hsm;
  private final WrappedKeyStore store;
  private final KeyPool pool;
  private final OrphanKeys orphans;

  public KeyLoader(Hsm hsm, WrappedKeyStore store, KeyPool pool, OrphanKeys orphans) {
    this.hsm = hsm;
    this.store = store;
    this.pool = pool;
    this.orphans = orphans;
  }

  /**
   * Loads one batch if a pool needs it.
   *
   * @param maxWait how long to wait for a need
   * @throws HsmException if the device as a whole is in doubt; claimed keys are back in the store
   * @throws org.keywell.keypool.store.StoreException if the store fails
   */
  public Step loadNext(Duration maxWait) throws InterruptedException {
    Optional<LoadRequest> need = pool.awaitNeed(maxWait);
    if (need.isEmpty()) {
      return Step.NO_NEED;
    }
    LoadRequest request = need.get();
    boolean storeDry = false;
    try {
      List<StoredKey> claimed = store.claim(request.spec(), request.count());
      storeDry = claimed.isEmpty();
      load(claimed);
      return storeDry ? Step.STORE_DRY : Step.LOADED;
    } finally {
      pool.finish(request, storeDry);
    }
  }

  /**
   * Ends the loaded tier in an orderly way: each loaded key is destroyed in the device and, if that
   * is certain, put back into the store.
   *
   * @return how many keys were put back
   */
  public int unload() {
    return putBack(pool.close());
  }

  private void load(List<StoredKey> claimed) {
    List<Long> unusable = new ArrayList<>();
    for (int i = 0; i < claimed.size(); i++) {
      StoredKey stored = claimed.get(i);
      try {
        KeyHandle handle = hsm.unwrap(stored.key());
        LoadedKey loaded = new LoadedKey(stored, handle);
        if (!pool.add(loaded)) {
          putBack(List.of(loaded));
        }
      } catch (HsmException e) {
        if (e.concernsDevice()) {
          store.discard(unusable);
          store.putBack(claimed.subList(i, claimed.size()));
          throw e;
        }
        log.error("key {} cannot be unwrapped and is discarded: {}", stored.id(), e.getMessage());
        unusable.add(stored.id());
      }
    }
    store.discard(unusable);
  }

  private int putBack(List<LoadedKey> keys) {
    List<StoredKey> unloaded = new ArrayList<>();
    List<Long> doubtful = new ArrayList<>();
    for (LoadedKey key : keys) {
      if (hsm.destroy(key.handle()).succeeded()) {
        unloaded.add(key.stored());
      } else {
        orphans.add(key.handle());
        doubtful.add(key.stored().id());
      }
    }
    store.discard(doubtful);
    return store.putBack(unloaded);
  }
}
