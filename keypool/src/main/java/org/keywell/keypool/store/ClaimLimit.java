package org.keywell.keypool.store;

import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.KeySpec;

/** How far claims may reach into the queue of stored keys. Thread-safe. */
public interface ClaimLimit {

  /** Claims may reach all keys. */
  ClaimLimit NONE = new FixedClaimLimit(Long.MAX_VALUE);

  /** Returns the last place that may be claimed. */
  long upTo(KeySpec spec);

  /**
   * Moves the limit, so that more keys can be claimed.
   *
   * @param wanted how many keys are to be claimed next, at least 1
   * @param before the limit within which none was left
   * @return false if no key is stored beyond the limit; if true, {@link #upTo} is beyond {@code
   *     before}
   * @throws HsmException if the device that keeps the limit fails
   * @throws StoreException if the store fails
   */
  boolean extend(KeySpec spec, int wanted, long before);
}
