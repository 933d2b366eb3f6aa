package org.keywell.dss;

import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.pdmodel.interactive.annotation.PDAnnotation;
import org.apache.pdfbox.text.PDFTextStripper;
import org.apache.pdfbox.text.TextPosition;

/**
 * Finds a free place on a page, from its lower left corner to the right and upwards. Ignores
 * pictures.
 */
final class FreePlace {
  private static final float MARGIN = 36;
  private static final float GAP = 6;

  private final Rectangle2D.Float page;
  private final List<Rectangle2D> annotations;
  private final List<Rectangle2D> text;

  private FreePlace(Rectangle2D.Float page, List<Rectangle2D> annotations, List<Rectangle2D> text) {
    this.page = page;
    this.annotations = annotations;
    this.text = text;
  }

  /**
   * @param number from 1
   */
  static FreePlace on(PDDocument document, int number) throws IOException {
    PDPage page = document.getPage(number - 1);
    PDRectangle box = page.getCropBox();
    boolean lying = page.getRotation() % 180 != 0;
    List<Rectangle2D> annotations = new ArrayList<>();
    for (PDAnnotation annotation : page.getAnnotations()) {
      PDRectangle rectangle = annotation.getRectangle();
      if (rectangle != null) {
        annotations.add(shown(rectangle, box, page.getRotation()));
      }
    }
    return new FreePlace(
        new Rectangle2D.Float(
            0,
            0,
            lying ? box.getHeight() : box.getWidth(),
            lying ? box.getWidth() : box.getHeight()),
        annotations,
        new Words(number).of(document));
  }

  /** Returns the place, over text if necessary; empty if fields and annotations leave none. */
  Optional<Rectangle2D> find(float width, float height) {
    List<Rectangle2D> all = new ArrayList<>(annotations);
    all.addAll(text);
    return besides(all, width, height).or(() -> besides(annotations, width, height));
  }

  private Optional<Rectangle2D> besides(List<Rectangle2D> taken, float width, float height) {
    for (float top = page.height - MARGIN - height; top >= 0; top -= height + GAP) {
      for (float left = MARGIN; left + width <= page.width; left += width + GAP) {
        Rectangle2D place = new Rectangle2D.Float(left, top, width, height);
        if (taken.stream().noneMatch(place::intersects)) {
          return Optional.of(place);
        }
      }
    }
    return Optional.empty();
  }

  /** Returns where a page that is displayed with this box, turned, shows a part of it. */
  static Rectangle2D shown(PDRectangle rectangle, PDRectangle box, int rotation) {
    float left = rectangle.getLowerLeftX() - box.getLowerLeftX();
    float below = rectangle.getLowerLeftY() - box.getLowerLeftY();
    float right = box.getUpperRightX() - rectangle.getUpperRightX();
    float above = box.getUpperRightY() - rectangle.getUpperRightY();
    float width = rectangle.getWidth();
    float height = rectangle.getHeight();
    return switch (Math.floorMod(rotation, 360)) {
      case 90 -> new Rectangle2D.Float(below, left, height, width);
      case 180 -> new Rectangle2D.Float(right, below, width, height);
      case 270 -> new Rectangle2D.Float(above, right, height, width);
      default -> new Rectangle2D.Float(left, above, width, height);
    };
  }

  /** The positions of a page's text. */
  private static final class Words extends PDFTextStripper {
    private final List<Rectangle2D> found = new ArrayList<>();

    private Words(int page) {
      setStartPage(page);
      setEndPage(page);
    }

    private List<Rectangle2D> of(PDDocument document) throws IOException {
      writeText(document, Writer.nullWriter());
      return found;
    }

    @Override
    protected void processTextPosition(TextPosition one) {
      if (!one.getUnicode().isBlank()) {
        found.add(
            new Rectangle2D.Float(
                one.getX(), one.getY() - one.getHeight(), one.getWidth(), one.getHeight()));
      }
    }
  }
}
