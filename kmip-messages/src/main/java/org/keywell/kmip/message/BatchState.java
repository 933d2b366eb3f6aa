package org.keywell.kmip.message;

import org.jspecify.annotations.Nullable;

/** What the operations of one request tell each other. Used by one thread. */
public final class BatchState {

  private @Nullable String idPlaceholder;

  /** Returns the object that a later operation means if it names none; null if there is none. */
  public @Nullable String idPlaceholder() {
    return idPlaceholder;
  }

  public void setIdPlaceholder(@Nullable String uniqueIdentifier) {
    idPlaceholder = uniqueIdentifier;
  }
}
