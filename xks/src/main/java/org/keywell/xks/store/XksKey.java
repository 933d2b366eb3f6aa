package org.keywell.xks.store;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A key. The record owns its array; it must not be modified.
 *
 * @param name the {@code externalKeyId}
 * @param tokenId the {@code CKA_ID} in the token
 */
public record XksKey(String name, byte[] tokenId, KeyUsage usage, State state) {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,128}");

  /** Whether a key may be used. */
  public enum State {
    ENABLED,
    DISABLED,
    /** Finally; its name is not given to another key. */
    DESTROYED;

    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Whether a text may name a key. Dots alone would be taken for steps in a path. */
  public static boolean isName(String text) {
    return NAME.matcher(text).matches() && !text.equals(".") && !text.equals("..");
  }
}
