package org.keywell.dss;

import org.jspecify.annotations.Nullable;

/**
 * What a PDF shows of a signature, and where.
 *
 * <p>Text runs from left to right, one glyph after the other, in an embedded font: Liberation Sans,
 * for Latin, Greek and Cyrillic script, or the caller's.
 *
 * @param text its lines; null for the signer's name and the time
 * @param font a TrueType font file, of which only the glyphs shown are embedded; null for
 *     Liberation Sans
 */
public record VisibleSignature(
    SignaturePlace place, @Nullable String text, @Nullable Document font) {
  /** The default width, in points. */
  public static final float WIDTH = 220;

  /** The default height, in points. */
  public static final float HEIGHT = 54;

  /** Shows it at the next free place of the last page. */
  public static VisibleSignature atFreePlace() {
    return atFreePlace(-1);
  }

  /** Shows it at the next free place of a page. */
  public static VisibleSignature atFreePlace(int page) {
    return at(new SignaturePlace.Free(page, WIDTH, HEIGHT));
  }

  /** Shows it in the default size, with this upper left corner. */
  public static VisibleSignature onPage(int page, float left, float top) {
    return at(new SignaturePlace.At(page, left, top, WIDTH, HEIGHT));
  }

  /** Shows it in an existing signature field. */
  public static VisibleSignature inField(String name) {
    return at(new SignaturePlace.Field(name));
  }

  /** Shows the signer's name and the time. */
  public static VisibleSignature at(SignaturePlace place) {
    return new VisibleSignature(place, null, null);
  }

  public VisibleSignature saying(String lines) {
    return new VisibleSignature(place, lines, font);
  }

  public VisibleSignature withFont(Document trueType) {
    return new VisibleSignature(place, text, trueType);
  }
}
