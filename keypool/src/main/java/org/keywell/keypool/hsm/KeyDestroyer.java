package org.keywell.keypool.hsm;

/**
 * Destroys keys for good: what the device does not destroy when told to is counted and tried again.
 * Thread-safe.
 */
public interface KeyDestroyer {

  /** Destroys a key. Does not throw: a failure is in the result, and the key is tried again. */
  Destruction destroy(KeyHandle key);

  /**
   * Tries keys again that were not destroyed; to be called about once a second. Ends after a few
   * failures, so that a device which destroys nothing is not kept busy by that.
   *
   * @return how many are gone now
   */
  int retry();

  /** Whether so many keys were not destroyed that no more are to be made. */
  boolean atLimit();
}
