package org.keywell.signing.record;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A request that nobody works on but that may be on record as unfinished.
 *
 * @param keyId the pool row of the key it spent; null if none, or one generated on the fly
 * @param intent null: its record is there; otherwise what may yet put it there, since its commit
 *     was not answered
 */
record Unrecorded(UUID requestId, @Nullable Long keyId, Entry.@Nullable Intent intent) {

  static Unrecorded of(Entry.Intent intent) {
    return new Unrecorded(intent.requestId(), null, intent);
  }

  static Unrecorded of(Entry.Outcome outcome) {
    return new Unrecorded(outcome.requestId(), outcome.keyId().orElse(null), null);
  }
}
