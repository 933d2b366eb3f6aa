package org.keywell.dss;

import org.jspecify.annotations.Nullable;

/**
 * The field on a page of a PDF that shows a signature. Lengths are in points, 1/72 inch, and count
 * from the page's upper left corner.
 *
 * @param page from 1
 * @param text its lines; null for the signer's name and the time
 */
public record VisibleSignature(
    int page, float left, float top, float width, float height, @Nullable String text) {
  private static final float WIDTH = 220;
  private static final float HEIGHT = 54;

  public VisibleSignature {
    if (page < 1) {
      throw new IllegalArgumentException("pages count from 1");
    }
    if (left < 0 || top < 0 || width <= 0 || height <= 0) {
      throw new IllegalArgumentException("a signature field lies on its page, and has a size");
    }
  }

  /** A field of usual size with the signer's name and the time. */
  public static VisibleSignature onPage(int page, float left, float top) {
    return new VisibleSignature(page, left, top, WIDTH, HEIGHT, null);
  }

  public VisibleSignature saying(String lines) {
    return new VisibleSignature(page, left, top, width, height, lines);
  }
}
