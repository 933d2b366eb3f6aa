package org.keywell.keypool.store;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.WrappedKey;

/**
 * Wrapped keys at rest, as one instance of the service sees them, under one wrapping key. A key is
 * stored, claimed (by one instance, once), then used, discarded, put back or forfeited.
 *
 * <p>Thread-safe. When a method returns, its effect is durable, except for {@link #reserve}: a
 * crash of the database may lose the reserved places. No limit is exceeded then, since {@link
 * #addReserved} refuses keys without a place. All methods throw {@link StoreException}.
 */
public interface WrappedKeyStore {

  /**
   * Stores a key and returns its id, regardless of the pool's limit.
   *
   * @throws StoreException also if the public key is already stored, or is not in its kind's only
   *     valid encoding
   */
  long add(WrappedKey key);

  /**
   * Reserves places for keys that will be generated. Stored keys and the reserved places of all
   * instances together never exceed {@code max} because of this; keys that are put back may come on
   * top.
   *
   * @param max keys of this kind that may be stored
   * @param wanted at least 1
   * @return how many places were reserved, up to {@code wanted}; 0 if there is no room
   */
  int reserve(KeySpec spec, int max, int wanted);

  /** Releases the places that this instance has reserved, except {@code keys} of them. */
  void keepReserved(KeySpec spec, int keys);

  /**
   * Stores keys of one kind in reserved places: all of them or none.
   *
   * @param keys at least 1
   * @throws StoreException as {@link #add}; also if this instance no longer has that many places
   */
  void addReserved(List<WrappedKey> keys);

  /**
   * Takes up to {@code max} keys out of the store, oldest first. No other claim, of any instance,
   * before or after, gets one of them unless it is put back.
   *
   * <p>If it fails, no key is lost: keys that it may have taken nevertheless go back before the
   * next claim or at the next {@link #putBack}.
   *
   * @param max at least 1
   * @return at most {@code max} keys; empty if none is stored
   * @throws org.keywell.keypool.hsm.HsmException if the device that limits claims fails; no key is
   *     claimed then
   */
  List<StoredKey> claim(KeySpec spec, int max);

  /**
   * Returns which of these claimed keys are on record as used, by id or public key. They were
   * restored by hand and must not sign again.
   */
  Set<Long> used(Collection<StoredKey> keys);

  /**
   * Puts back claimed keys that never signed, under their old ids. Ignores keys that are not on
   * this instance's ledger of claims: a key cannot come back twice.
   *
   * @return how many came back
   */
  int putBack(Collection<StoredKey> keys);

  /**
   * Returns which of these keys this instance has claimed and not accounted for. It has lost the
   * others: another instance took it for gone and forfeited its keys.
   */
  Set<Long> onLedger(Collection<Long> ids);

  /** Closes the ledger for claimed keys that are gone without having served a request. */
  void discard(Collection<Long> ids);

  /** Returns how many keys of this kind are stored and can be claimed. */
  long count(KeySpec spec);

  /** Returns how many of them count towards the limit of {@link #reserve}. */
  default long countTowardsMax(KeySpec spec) {
    return count(spec);
  }

  /**
   * Forfeits what a crash left: keys that this instance had claimed before and never accounted for,
   * and its reserved places. Call it at the start, before the first claim.
   *
   * @return how many were forfeited
   */
  int forfeitLeftovers();
}
