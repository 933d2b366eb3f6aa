package org.keywell.dss;

/** A visible signature has a character that its font lacks or that cannot be drawn. */
public final class CharacterNotShownException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  CharacterNotShownException(int codePoint, String why) {
    super(
        "its visible signature cannot show '%s' (U+%04X), %s; another font or text may be given"
            .formatted(Character.toString(codePoint), codePoint, why));
  }
}
