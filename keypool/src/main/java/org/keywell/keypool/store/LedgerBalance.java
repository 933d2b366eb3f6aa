package org.keywell.keypool.store;

/**
 * The balance of the keys of one kind under one wrapping key, at one moment.
 *
 * @param stored rows of {@code pool_key}
 * @param claimed rows of {@code claimed_key}: keys that are loaded or leased, or whose end is not
 *     on record yet
 * @param generated newly stored keys, plus those that existed when the ledger was introduced
 * @param used spent on requests, or given to clients that manage them
 * @param corrected stored keys accounted for by hand: added if positive, removed if negative
 * @param outOfStore claimed keys minus those put back
 */
public record LedgerBalance(
    String keySpec,
    String wrappingKeyId,
    long generated,
    long corrected,
    long stored,
    long claimed,
    long used,
    long forfeited,
    long discarded,
    long outOfStore) {

  /** Returns the stored keys in excess of what the ledger says; missing keys if negative. */
  public long storedBeyondLedger() {
    return stored - (generated + corrected - outOfStore);
  }

  /** Returns the claimed keys in excess of what the ledger says; missing keys if negative. */
  public long claimedBeyondLedger() {
    return claimed - (outOfStore - used - forfeited - discarded);
  }

  /** Returns how many keys, at least, came or went without Keywell; 0: all are accounted for. */
  public long difference() {
    return Math.abs(storedBeyondLedger()) + Math.abs(claimedBeyondLedger());
  }
}
