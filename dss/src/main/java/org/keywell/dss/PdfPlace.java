package org.keywell.dss;

import eu.europa.esig.dss.enumerations.VisualSignatureRotation;
import eu.europa.esig.dss.pades.SignatureFieldParameters;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.util.List;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.cos.COSDictionary;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.pdmodel.interactive.annotation.PDAnnotation;
import org.apache.pdfbox.pdmodel.interactive.annotation.PDAnnotationWidget;
import org.apache.pdfbox.pdmodel.interactive.form.PDAcroForm;
import org.apache.pdfbox.pdmodel.interactive.form.PDSignatureField;
import org.keywell.client.Digest;

/** Finds where a document is to show a signature, in DSS's terms. */
final class PdfPlace {
  private final PDDocument document;
  private final Digest digest;

  private PdfPlace(PDDocument document, Digest digest) {
    this.document = document;
    this.digest = digest;
  }

  /**
   * Finds the place.
   *
   * @param digest the signature's
   * @throws IllegalArgumentException if the document has no such page, field or place, or requires
   *     of the field what the signature will not have
   */
  static SignatureFieldParameters in(Document pdf, SignaturePlace place, Digest digest) {
    try (PDDocument document = Loader.loadPDF(pdf.content(), pdf.passwordOrNone())) {
      return new PdfPlace(document, digest).of(place);
    } catch (IOException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private SignatureFieldParameters of(SignaturePlace place) throws IOException {
    if (place instanceof SignaturePlace.Field field) {
      return existing(field.name());
    }
    if (place instanceof SignaturePlace.At at) {
      return fresh(number(at.page()), at.left(), at.top(), at.width(), at.height());
    }
    SignaturePlace.Free free = (SignaturePlace.Free) place;
    int page = number(free.page());
    Rectangle2D found =
        FreePlace.on(document, page)
            .find(free.width(), free.height())
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "page %s has no free place of %s by %s points for a visible signature"
                        .formatted(page, Math.round(free.width()), Math.round(free.height()))));
    return fresh(page, (float) found.getX(), (float) found.getY(), free.width(), free.height());
  }

  private int number(int page) {
    int pages = document.getNumberOfPages();
    int number = page < 0 ? pages + 1 + page : page;
    if (number < 1 || number > pages) {
      throw new IllegalArgumentException(
          "there is no page %s for a visible signature: pages are 1 to %s".formatted(page, pages));
    }
    return number;
  }

  /** A certified document may get new fields, but none that its pages show. */
  private SignatureFieldParameters fresh(
      int page, float left, float top, float width, float height) {
    COSDictionary permissions =
        document.getDocumentCatalog().getCOSObject().getCOSDictionary(COSName.PERMS);
    if (permissions != null && permissions.containsKey(COSName.DOCMDP)) {
      throw new IllegalArgumentException(
          "it is certified, and a new visible signature would break that: sign invisibly, or in a"
              + " signature field of the document");
    }
    PDPage shown = document.getPage(page - 1);
    PDRectangle box = shown.getCropBox();
    boolean lying = shown.getRotation() % 180 != 0;
    float across = lying ? box.getHeight() : box.getWidth();
    float down = lying ? box.getWidth() : box.getHeight();
    if (left + width > across || top + height > down) {
      throw new IllegalArgumentException(
          "a visible signature cannot lie outside the page: page %s shows %s by %s points"
              .formatted(page, Math.round(across), Math.round(down)));
    }
    // DSS counts from the corner of the media box, of which readers display a part.
    Rectangle2D offset = FreePlace.shown(box, shown.getMediaBox(), shown.getRotation());
    SignatureFieldParameters field = onPage(page);
    field.setOriginX(left + (float) offset.getX());
    field.setOriginY(top + (float) offset.getY());
    field.setWidth(width);
    field.setHeight(height);
    return field;
  }

  /** Upright regardless of the page's rotation. */
  private static SignatureFieldParameters onPage(int page) {
    SignatureFieldParameters field = new SignatureFieldParameters();
    field.setPage(page);
    field.setRotation(VisualSignatureRotation.AUTOMATIC);
    return field;
  }

  private SignatureFieldParameters existing(String name) throws IOException {
    PDAcroForm form = document.getDocumentCatalog().getAcroForm();
    if (form == null || !(form.getField(name) instanceof PDSignatureField field)) {
      throw new IllegalArgumentException("there is no signature field '%s'".formatted(name));
    }
    if (field.getSignature() != null) {
      throw new IllegalArgumentException(
          "the signature field '%s' is signed already".formatted(name));
    }
    SeedValues.require(field, digest);
    PDAnnotationWidget widget = field.getWidgets().get(0);
    PDRectangle rectangle = widget.getRectangle();
    if (rectangle == null || rectangle.getWidth() <= 0 || rectangle.getHeight() <= 0) {
      throw new IllegalArgumentException(
          "the signature field '%s' has no size, so that it can show nothing".formatted(name));
    }
    SignatureFieldParameters parameters = onPage(pageOf(widget.getCOSObject(), name));
    parameters.setFieldId(name);
    return parameters;
  }

  /** A widget is not required to name its page. */
  private int pageOf(COSDictionary widget, String name) throws IOException {
    int number = 0;
    for (PDPage page : document.getPages()) {
      number++;
      List<PDAnnotation> annotations = page.getAnnotations();
      if (annotations.stream().anyMatch(one -> one.getCOSObject().equals(widget))) {
        return number;
      }
    }
    throw new IllegalArgumentException("the signature field '%s' is on no page".formatted(name));
  }
}
