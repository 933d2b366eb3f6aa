package org.keywell.kmip.store;

/** Thrown if the search for objects was given up because too many had to be looked at. */
public final class LocateLimitException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  LocateLimitException(int limit) {
    super("more than %d objects would have to be looked at".formatted(limit));
  }
}
