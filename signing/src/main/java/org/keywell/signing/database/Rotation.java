package org.keywell.signing.database;

import java.util.Locale;

/**
 * One wrapping key follows another.
 *
 * @param oldId of the wrapping key that is replaced
 * @param newId of the one that follows; while it is being made, its label
 */
public record Rotation(String oldId, String newId, Step step) {

  /** In this order. */
  public enum Step {
    /** Some tokens may have the new key; nothing was wrapped with it. */
    MAKING,
    /** All tokens have the new key; instances take note of it. */
    OFFERED,
    /** The new key wraps; both unwrap. */
    SWITCHED,
    /** The old key is no longer used; what is stored under it is discarded. */
    WITHDRAWN,
    /** The old key was destroyed. */
    DONE;

    /** Returns the value in the column {@code step}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Whether it has come so far. */
  public boolean is(Step atLeast) {
    return step.compareTo(atLeast) >= 0;
  }
}
