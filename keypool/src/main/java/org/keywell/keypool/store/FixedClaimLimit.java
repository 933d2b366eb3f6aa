package org.keywell.keypool.store;

import org.keywell.keypool.hsm.KeySpec;

/**
 * Lets claims reach up to one place.
 *
 * @param place the last one
 */
record FixedClaimLimit(long place) implements ClaimLimit {

  @Override
  public long upTo(KeySpec spec) {
    return place;
  }

  @Override
  public boolean extend(KeySpec spec, int wanted, long before) {
    return false;
  }
}
