package org.keywell.keypool.store;

/**
 * What became of the keys of one kind under one wrapping key, as of one moment.
 *
 * @param stored rows of {@code pool_key}
 * @param claimed rows of {@code claimed_key}: keys that are loaded or leased, or whose end is not
 *     on record yet
 * @param generated stored anew, and, if the ledger was begun later, what there was at its beginning
 * @param corrected stored keys that were explained by hand: come if positive, gone if negative
 * @param outOfStore claims less those that were put back
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

  /** Keys that are stored beyond those that the ledger knows of; missing if negative. */
  public long storedBeyondLedger() {
    return stored - (generated + corrected - outOfStore);
  }

  /** Keys that are claimed beyond those that the ledger knows of; missing if negative. */
  public long claimedBeyondLedger() {
    return claimed - (outOfStore - used - forfeited - discarded);
  }

  /** How many keys came or went by no statement of Keywell's, at the least; 0: all is accounted. */
  public long difference() {
    return Math.abs(storedBeyondLedger()) + Math.abs(claimedBeyondLedger());
  }
}
