package org.keywell.keypool.store;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.WrappedKey;

/**
 * Wrapped keys at rest, seen by one instance of the service and for one wrapping key. A key is
 * stored, claimed (by one instance, once), then used, discarded, put back or forfeited.
 *
 * <p>Thread-safe. When a method returns, its effect is durable. All throw {@link StoreException}.
 */
public interface WrappedKeyStore {

  /**
   * Stores a key and returns its id, whatever the pool's limit is.
   *
   * @throws StoreException also if the public key is stored already, or is not in the one encoding
   *     that its kind has
   */
  long add(WrappedKey key);

  /**
   * Reserves places for keys that are going to be made. Keys that are stored, and places that any
   * instance has reserved, never become more than {@code max} by this; keys that are put back may
   * come on top.
   *
   * @param max keys of this kind that may be stored
   * @param wanted at least 1
   * @return how many places there are, up to {@code wanted}; 0 if there is no room
   */
  int reserve(KeySpec spec, int max, int wanted);

  /** Gives back the places that this instance has reserved, but for so many. */
  void keepReserved(KeySpec spec, int keys);

  /**
   * Stores keys of one kind in places that were reserved: all of them or none.
   *
   * @param keys at least 1
   * @throws StoreException as {@link #add}; also if this instance has not so many places any more
   */
  void addReserved(List<WrappedKey> keys);

  /**
   * Takes up to {@code max} keys out of the store, oldest first. No other claim, of any instance,
   * before or after, gets one of them, unless it is put back.
   *
   * <p>If it fails, no key is lost: those that it may have taken all the same go back before the
   * next claim, or at the next {@link #putBack}.
   *
   * @param max at least 1
   * @return at most {@code max} keys; empty if none is stored
   */
  List<StoredKey> claim(KeySpec spec, int max);

  /**
   * Which of these claimed keys are on record as used, by their id or by their public key. They
   * were brought back by hand and must not sign again.
   */
  Set<Long> used(Collection<StoredKey> keys);

  /**
   * Returns claimed keys that never signed, under their old ids. Keys that are not on this
   * instance's ledger of claims are passed over: a key cannot come back twice.
   *
   * @return how many came back
   */
  int putBack(Collection<StoredKey> keys);

  /**
   * Which of these keys this instance has claimed and not accounted for. The others are not its any
   * more: another took it for gone, and gave up its keys.
   */
  Set<Long> onLedger(Collection<Long> ids);

  /** Closes the ledger for claimed keys that are gone without having served a request. */
  void discard(Collection<Long> ids);

  /** How many keys of this kind are stored and can be claimed. */
  long count(KeySpec spec);

  /**
   * Gives up the keys that this instance had claimed before and never accounted for, and the places
   * that it had reserved: what a crash left. To be called at the start, before the first claim.
   *
   * @return how many were forfeited
   */
  int forfeitLeftovers();
}
