package org.keywell.keypool.store;

/**
 * The keys that the ledger counts as used, and the records that name them, of all kinds and as of
 * one moment.
 *
 * @param used by the ledger
 * @param recorded records that name a key, without those of acts that are open
 * @param corrected records that were moved away, less those of keys that were not used
 */
public record RecordBalance(long used, long recorded, long corrected) {

  /** Used keys without a record if positive; records that the ledger does not count if negative. */
  public long difference() {
    return used - recorded - corrected;
  }
}
