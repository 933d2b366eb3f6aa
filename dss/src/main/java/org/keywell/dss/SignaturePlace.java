package org.keywell.dss;

/**
 * Where a page shows a signature. Lengths are in points (1/72 inch), measured from the upper left
 * corner of the page as displayed. Pages count from 1; -1 is the last one, -2 the one before.
 */
public sealed interface SignaturePlace {

  /** The next place from the lower left corner without fields and, if possible, without text. */
  record Free(int page, float width, float height) implements SignaturePlace {
    public Free {
      requirePage(page);
      requireSize(width, height);
    }
  }

  /** An exact place; refused if it overlaps another field or annotation. */
  record At(int page, float left, float top, float width, float height) implements SignaturePlace {
    public At {
      requirePage(page);
      requireSize(width, height);
      if (!(left >= 0 && top >= 0)) {
        throw new IllegalArgumentException("a signature lies on its page, not beside it");
      }
    }
  }

  /** An existing signature field, by its full name, that is not signed yet. */
  record Field(String name) implements SignaturePlace {
    public Field {
      if (name.isBlank()) {
        throw new IllegalArgumentException("a signature field has a name");
      }
    }
  }

  private static void requirePage(int page) {
    if (page == 0) {
      throw new IllegalArgumentException("pages count from 1, or from -1 backwards");
    }
  }

  private static void requireSize(float width, float height) {
    if (!(width >= 20 && height >= 10)) {
      throw new IllegalArgumentException(
          "a signature that is shown has 20 by 10 points or more, to be read");
    }
  }
}
