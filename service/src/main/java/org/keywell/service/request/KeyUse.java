package org.keywell.service.request;

import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.store.StoredKey;

/**
 * The key that a request was given, and its end.
 *
 * @param stored the pool row it came from; null if it was generated on the fly
 * @param destruction the evidence of its destruction
 */
public record KeyUse(@Nullable StoredKey stored, byte[] publicKey, Destruction destruction) {

  public boolean preGenerated() {
    return stored != null;
  }

  /** The same use without naming the pool row, whose id is on record for another request. */
  public KeyUse withoutRow() {
    return new KeyUse(null, publicKey, destruction);
  }
}
