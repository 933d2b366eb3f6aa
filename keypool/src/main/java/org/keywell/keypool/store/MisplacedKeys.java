package org.keywell.keypool.store;

/**
 * Numbers of keys in two places, each at one moment. Keywell's statements never leave any.
 *
 * @param storedAndUsed rows of {@code pool_key} that a record names, by id or public key
 * @param claimedAndUsed rows of {@code claimed_key} that the record of an ended request names
 * @param storedAndClaimed ids that are in both tables
 * @param copies rows of {@code pool_key} whose public or wrapped private key another row has
 */
public record MisplacedKeys(
    long storedAndUsed, long claimedAndUsed, long storedAndClaimed, long copies) {

  /** Whether each key is in only one place. */
  public boolean isEmpty() {
    return storedAndUsed == 0 && claimedAndUsed == 0 && storedAndClaimed == 0 && copies == 0;
  }
}
