package org.keywell.keypool.store;

/**
 * The keys that the ledger counts as used, and the records that name them, of all kinds, at one
 * moment.
 *
 * @param used according to the ledger
 * @param recorded records that name a key, except those of open acts
 * @param corrected records that were moved away, minus those of keys that were not used
 */
public record RecordBalance(long used, long recorded, long corrected) {

  /** Counts used keys without a record; if negative, records that the ledger does not count. */
  public long difference() {
    return used - recorded - corrected;
  }
}
