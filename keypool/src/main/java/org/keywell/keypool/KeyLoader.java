package org.keywell.keypool;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.PoolListener.End;
import org.keywell.keypool.PoolListener.Load;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.log.LogPace;
import org.keywell.keypool.store.StoreException;
import org.keywell.keypool.store.StoredKey;
import org.keywell.keypool.store.WrappedKeyStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills the loaded tier: when a pool is below its low-water mark, claims a batch from the store,
 * discards keys that must not sign, and unwraps the others into the device. In the thesis, one
 * thread runs it (section 3.2); several may, each with its own batch.
 */
final class KeyLoader {

  /** The result of a call of {@link #loadNext}. */
  enum Step {
    LOADED,
    /** A pool needs keys and the store has none. */
    STORE_DRY,
    NO_NEED,
    /** The device is known to fail, or to have no room: nothing was claimed. */
    DEVICE_FAILS
  }

  private static final Logger log = LoggerFactory.getLogger(KeyLoader.class);

  private static final int MAX_SUSPECTS = 10_000;

  private final Hsm hsm;
  private final KeyDestroyer destroyer;
  private final Shelves shelves;
  private final WrappedKeyStore store;
  private final KeyScreen screen;
  private final BlobProof proof;
  private final BlobTrust trust;
  private final LogPace refusals = new LogPace(System::nanoTime);
  private final PoolListener listener;
  private final LoadProgress progress;

  /** Ids, shared by all threads, since another thread may claim the key next. */
  private final Set<Long> suspects = ConcurrentHashMap.newKeySet();

  /**
   * @param listener notified of what becomes of claimed keys
   */
  KeyLoader(Device device, WrappedKeyStore store, PoolListener listener) {
    this.hsm = device.hsm();
    this.destroyer = device.destroyer();
    this.shelves = device.shelves();
    this.progress = device.loading();
    this.store = store;
    this.screen = new KeyScreen(store);
    this.proof = device.blobProof();
    this.trust = device.blobTrust();
    this.listener = listener;
  }

  /**
   * Loads one batch if a pool needs it. A key that the device refuses is discarded only if the
   * device proves that it does unwrap keys, and then refuses this one again. If its return code
   * blames the device, the key first gets another batch.
   *
   * @param maxWait how long to wait for a need
   * @throws HsmException if the device is in doubt; keys neither loaded nor discarded are put back
   * @throws StoreException if the store fails; keys that were claimed before may then be lost
   */
  Step loadNext(Duration maxWait) throws InterruptedException {
    if (deviceFails()) {
      return Step.DEVICE_FAILS;
    }
    Optional<LoadRequest> need = shelves.awaitNeed(maxWait);
    if (need.isEmpty()) {
      return Step.NO_NEED;
    }
    LoadRequest request = need.get();
    if (deviceFails()) {
      // Not a failed load: a request can wait for the next one once the device works again.
      shelves.finish(request, Load.STORE_HAD_KEYS);
      return Step.DEVICE_FAILS;
    }
    Load outcome = Load.FAILED;
    LoadProgress.Batch batch = progress.begun(request.spec());
    try {
      List<StoredKey> claimed = claim(request, batch);
      load(withoutBarred(claimed), batch);
      outcome = claimed.isEmpty() ? Load.STORE_DRY : Load.STORE_HAD_KEYS;
    } finally {
      batch.ended();
      shelves.finish(request, outcome);
      listener.finished(request.spec(), outcome);
    }
    return outcome == Load.STORE_DRY ? Step.STORE_DRY : Step.LOADED;
  }

  private boolean deviceFails() {
    return hsm.failsToSign() || hsm.isFullToUnwrap();
  }

  /**
   * Closes the loaded tier in an orderly way: destroys each loaded key in the device and puts it
   * back into the store if it is certainly gone.
   *
   * @return how many keys were put back
   */
  int unload() {
    return putBack(shelves.close());
  }

  /**
   * Puts keys of an ended epoch back into the store; if the store fails, leaves them to be
   * forfeited.
   */
  void putBackOfEndedEpoch(List<LoadedKey> keys) {
    if (keys.isEmpty()) {
      return;
    }
    try {
      log.info(
          "loaded keys that are back in the store, since the HSM lost them: {}", putBack(keys));
    } catch (StoreException e) {
      log.error(
          "{} keys that the HSM lost are not back in the store: {}", keys.size(), e.getMessage());
    }
  }

  /** Discards keys that must not sign, before the device sees them. */
  private List<StoredKey> withoutBarred(List<StoredKey> claimed) {
    Set<Long> barred;
    try {
      barred = screen.barred(claimed);
      store.discard(barred);
    } catch (StoreException e) {
      putBackAfter(e, claimed);
      throw e;
    }
    List<StoredKey> others = new ArrayList<>();
    for (StoredKey key : claimed) {
      if (barred.contains(key.id())) {
        listener.ended(key.key().spec(), 1, End.BARRED);
      } else {
        others.add(key);
      }
    }
    return others;
  }

  private List<StoredKey> claim(LoadRequest request, LoadProgress.Batch batch) {
    long began = System.nanoTime();
    List<StoredKey> claimed = store.claim(request.spec(), request.count());
    batch.claimed(claimed.size());
    listener.claimed(request.spec(), claimed.size(), System.nanoTime() - began);
    return claimed;
  }

  private void load(List<StoredKey> claimed, LoadProgress.Batch batch) {
    Deque<StoredKey> left = new ArrayDeque<>(claimed);
    List<StoredKey> refused = new ArrayList<>();
    List<StoredKey> doubted = new ArrayList<>();
    @Nullable HsmException doubt = null;
    boolean open = true;
    try {
      while (open && !left.isEmpty()) {
        Attempt attempt = unwrap(left.element());
        batch.moved();
        StoredKey stored = left.remove();
        switch (attempt) {
          case Unwrapped(KeyHandle handle) -> open = handOver(new LoadedKey(stored, handle), batch);
          case Refused(HsmException e) when e.concernsDevice() && suspect(stored.id()) -> {
            doubted.add(stored);
            doubt = e;
          }
          case Refused(HsmException e) -> refused.add(stored);
        }
      }
    } catch (RuntimeException e) {
      // The device is in doubt, and so are its refusals.
      left.addAll(refused);
      left.addAll(doubted);
      putBackAfter(e, left);
      throw e;
    }
    left.addAll(doubted);
    putBackStored(left);
    discard(refused);
    if (doubt != null) {
      throw doubt;
    }
  }

  /** The result of unwrapping one key in a device that works. */
  private sealed interface Attempt {}

  private record Unwrapped(KeyHandle handle) implements Attempt {}

  private record Refused(HsmException why) implements Attempt {}

  /**
   * @throws HsmException if the device proves to be in doubt
   */
  private Attempt unwrap(StoredKey stored) {
    try {
      return unwrapNow(stored);
    } catch (HsmException e) {
      if (e.reason() == HsmException.Reason.FULL) {
        throw e;
      }
      log.debug("key {} is tried again if the HSM is well: {}", stored.id(), e.getMessage());
      proof.unwrapsAtAll(stored.key().spec());
    }
    try {
      return unwrapNow(stored);
    } catch (HsmException e) {
      long keys = refusals.due(1);
      if (keys > 0) {
        log.error(
            "keys that cannot be unwrapped: {}, the last one {}: {}",
            keys,
            stored.id(),
            e.getMessage());
      }
      return new Refused(e);
    }
  }

  private Unwrapped unwrapNow(StoredKey stored) {
    long began = System.nanoTime();
    KeyHandle handle = hsm.unwrap(stored.key());
    listener.unwrapped(stored.key().spec(), System.nanoTime() - began);
    return new Unwrapped(handle);
  }

  /**
   * Notes a key refused with a code that blames the device. Returns whether it is the first time.
   */
  private boolean suspect(long id) {
    if (suspects.size() >= MAX_SUSPECTS) {
      suspects.clear();
    }
    return suspects.add(id);
  }

  /** Returns false if the pool is closed or the key's epoch has ended; the key is then put back. */
  private boolean handOver(LoadedKey loaded, LoadProgress.Batch batch) {
    boolean taken = shelves.add(loaded);
    if (taken) {
      trust.good();
      batch.loaded();
      listener.loaded(loaded.handle().spec());
    } else {
      putBack(List.of(loaded));
    }
    return taken;
  }

  private void putBackAfter(RuntimeException failure, Collection<StoredKey> keys) {
    try {
      putBackStored(keys);
    } catch (StoreException e) {
      log.error("{} claimed keys are lost: {}", keys.size(), e.getMessage());
      failure.addSuppressed(e);
    }
  }

  private void discard(List<StoredKey> refused) {
    if (!refused.isEmpty()) {
      List<Long> ids = refused.stream().map(StoredKey::id).toList();
      for (StoredKey key : refused) {
        listener.ended(key.key().spec(), 1, End.DISCARDED);
        // No fault of the device, if the key that wrapped it was withdrawn.
        if (hsm.wrappingKeyIds().contains(key.key().wrappingKeyId())) {
          trust.discarded(key.key().spec());
        }
      }
      store.discard(ids);
    }
  }

  private int putBackStored(Collection<StoredKey> keys) {
    End end = End.LOST;
    try {
      int back = store.putBack(keys);
      end = End.PUT_BACK;
      return back;
    } finally {
      for (StoredKey key : keys) {
        listener.ended(key.key().spec(), 1, end);
      }
    }
  }

  private int putBack(List<LoadedKey> keys) {
    List<StoredKey> unloaded = new ArrayList<>();
    List<Long> doubtful = new ArrayList<>();
    for (LoadedKey key : keys) {
      if (destroyer.destroy(key.handle()).keyIsGone()) {
        unloaded.add(key.stored());
      } else {
        doubtful.add(key.stored().id());
        listener.ended(key.handle().spec(), 1, End.DISCARDED);
      }
    }
    int back = putBackStored(unloaded);
    store.discard(doubtful);
    return back;
  }
}
