package org.keywell.xks.store;

import java.util.Locale;
import java.util.regex.Pattern;
import org.keywell.keypool.hsm.pkcs11.TokenAesKey;

/**
 * A key.
 *
 * @param name the {@code externalKeyId}
 * @param token what the tokens have
 */
public record XksKey(String name, TokenAesKey token, KeyUsage usage, State state) {

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

  /** Returns the label of a key in tokens. */
  public static String label(String name) {
    return "xks-" + name;
  }

  /** Whether a text may name a key. Dots alone would be taken for steps in a path. */
  public static boolean isName(String text) {
    return NAME.matcher(text).matches() && !text.equals(".") && !text.equals("..");
  }
}
