package org.keywell.signing.database;

import java.util.Locale;

/**
 * What an instance does with a wrapping key that one of its tokens has.
 *
 * @param device its name at that instance
 * @param token identifies the token across instances
 */
public record WrappingKeyUse(
    String instance, String device, String token, String wrappingKeyId, Kind kind) {

  /** What it is used for. */
  public enum Kind {
    WRAPS,
    UNWRAPS,
    WITHDRAWN;

    /** Returns the value in the column {@code used_as}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
