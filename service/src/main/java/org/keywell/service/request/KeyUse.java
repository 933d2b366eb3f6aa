package org.keywell.service.request;

import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.store.StoredKey;

/**
 * The key that a request was given, and its end.
 *
 * @param stored the pool row it came from; null if it was generated on the fly
 * @param destruction the evidence of its destruction
 * @param recordedElsewhere whether the record of another request names this key, so that this one
 *     must not
 */
public record KeyUse(
    @Nullable StoredKey stored,
    byte[] publicKey,
    Destruction destruction,
    boolean recordedElsewhere) {

  public KeyUse(@Nullable StoredKey stored, byte[] publicKey, Destruction destruction) {
    this(stored, publicKey, destruction, false);
  }

  /** The key in logs: its pool row, if it came from one. */
  public String label() {
    return stored == null ? "on the fly" : Long.toString(stored.id());
  }

  public boolean preGenerated() {
    return stored != null;
  }

  /** The same use of a key that turned out to be on record for another request. */
  public KeyUse asRecordedElsewhere() {
    return new KeyUse(stored, publicKey, destruction, true);
  }
}
