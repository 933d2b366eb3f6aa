package org.keywell.xks.store;

import java.util.Locale;

/** What a key may do. */
public enum KeyUsage {
  ENCRYPT_DECRYPT(true, true),
  ENCRYPT(true, false),
  DECRYPT(false, true),
  NONE(false, false);

  private final boolean encrypts;
  private final boolean decrypts;

  KeyUsage(boolean encrypts, boolean decrypts) {
    this.encrypts = encrypts;
    this.decrypts = decrypts;
  }

  public boolean encrypts() {
    return encrypts;
  }

  public boolean decrypts() {
    return decrypts;
  }

  /** Returns a text such as {@code encrypt,decrypt}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', ',');
  }

  /**
   * Returns the usage of a label.
   *
   * @throws IllegalArgumentException if there is none; the message lists all
   */
  public static KeyUsage ofLabel(String label) {
    for (KeyUsage usage : values()) {
      if (usage.label().equals(label)) {
        return usage;
      }
    }
    throw new IllegalArgumentException(
        "'" + label + "' is none of encrypt,decrypt; encrypt; decrypt; none");
  }

  /** Returns what both allow. */
  public KeyUsage and(KeyUsage other) {
    return of(encrypts && other.encrypts, decrypts && other.decrypts);
  }

  static KeyUsage of(boolean encrypts, boolean decrypts) {
    if (encrypts) {
      return decrypts ? ENCRYPT_DECRYPT : ENCRYPT;
    }
    return decrypts ? DECRYPT : NONE;
  }
}
