package org.keywell.keypool.load;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.pool.KeyPool;
import org.keywell.keypool.pool.LoadRequest;
import org.keywell.keypool.pool.LoadedKey;
import org.keywell.keypool.pool.OrphanKeys;
import org.keywell.keypool.store.StoreException;
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
  private final UnwrapProof proof;

  public KeyLoader(Hsm hsm, WrappedKeyStore store, KeyPool pool, OrphanKeys orphans) {
    this.hsm = hsm;
    this.store = store;
    this.pool = pool;
    this.orphans = orphans;
    this.proof = new UnwrapProof(hsm, orphans);
  }

  /**
   * Loads one batch if a pool needs it. Keys that the device refuses are discarded; if it refuses a
   * whole batch, only after it has proven that it does unwrap keys.
   *
   * @param maxWait how long to wait for a need
   * @throws HsmException if the device as a whole is in doubt; claimed keys are back in the store
   * @throws StoreException if the store fails; claimed keys that are not loaded are then lost
   */
  public Step loadNext(Duration maxWait) throws InterruptedException {
    Optional<LoadRequest> need = pool.awaitNeed(maxWait);
    if (need.isEmpty()) {
      return Step.NO_NEED;
    }
    LoadRequest request = need.get();
    LoadRequest.Outcome outcome = LoadRequest.Outcome.FAILED;
    try {
      List<StoredKey> claimed = store.claim(request.spec(), request.count());
      load(claimed);
      outcome =
          claimed.isEmpty() ? LoadRequest.Outcome.STORE_DRY : LoadRequest.Outcome.STORE_HAD_KEYS;
    } finally {
      pool.finish(request, outcome);
    }
    return outcome == LoadRequest.Outcome.STORE_DRY ? Step.STORE_DRY : Step.LOADED;
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
    Deque<StoredKey> left = new ArrayDeque<>(claimed);
    List<StoredKey> refused = new ArrayList<>();
    boolean open = true;
    try {
      while (open && !left.isEmpty()) {
        Optional<KeyHandle> handle = unwrap(left.element());
        StoredKey stored = left.remove();
        if (handle.isEmpty()) {
          refused.add(stored);
        } else {
          open = handOver(new LoadedKey(stored, handle.get()));
        }
      }
      if (!refused.isEmpty() && refused.size() == claimed.size()) {
        proof.run(refused.getFirst().key().spec());
      }
    } catch (RuntimeException e) {
      // The device is in doubt, and so is what it said of the keys that it refused.
      left.addAll(refused);
      putBackAfter(e, left);
      throw e;
    }
    store.putBack(left);
    discard(refused);
  }

  /** Empty if the device refuses this key. */
  private Optional<KeyHandle> unwrap(StoredKey stored) {
    try {
      return Optional.of(hsm.unwrap(stored.key()));
    } catch (HsmException e) {
      if (e.concernsDevice()) {
        throw e;
      }
      log.error("key {} cannot be unwrapped: {}", stored.id(), e.getMessage());
      return Optional.empty();
    }
  }

  /** Returns false if the pool is closed; the key is then back in the store. */
  private boolean handOver(LoadedKey loaded) {
    boolean taken = pool.add(loaded);
    if (!taken) {
      putBack(List.of(loaded));
    }
    return taken;
  }

  private void putBackAfter(RuntimeException failure, Collection<StoredKey> keys) {
    try {
      store.putBack(keys);
    } catch (StoreException e) {
      log.error("{} claimed keys are lost: {}", keys.size(), e.getMessage());
      failure.addSuppressed(e);
    }
  }

  private void discard(List<StoredKey> refused) {
    if (!refused.isEmpty()) {
      List<Long> ids = refused.stream().map(StoredKey::id).toList();
      log.error("keys that cannot be unwrapped are discarded: {}", ids);
      store.discard(ids);
    }
  }

  private int putBack(List<LoadedKey> keys) {
    List<StoredKey> unloaded = new ArrayList<>();
    List<Long> doubtful = new ArrayList<>();
    for (LoadedKey key : keys) {
      if (orphans.destroy(key.handle()).succeeded()) {
        unloaded.add(key.stored());
      } else {
        doubtful.add(key.stored().id());
      }
    }
    int back = store.putBack(unloaded);
    store.discard(doubtful);
    return back;
  }
}
