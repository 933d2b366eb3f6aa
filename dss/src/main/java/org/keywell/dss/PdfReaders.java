package org.keywell.dss;

import java.io.IOException;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.pdmodel.interactive.annotation.PDAnnotationWidget;
import org.apache.pdfbox.pdmodel.interactive.form.PDAcroForm;
import org.apache.pdfbox.pdmodel.interactive.form.PDSignatureField;
import org.jspecify.annotations.Nullable;

/** What PDF readers may do with a signed document that no verification says. */
final class PdfReaders {

  private PdfReaders() {}

  /** Returns a sentence; null if there is nothing to say. */
  static @Nullable String hint(Document signed) {
    try (PDDocument document = Loader.loadPDF(signed.content(), signed.passwordOrNone())) {
      PDAcroForm form = document.getDocumentCatalog().getAcroForm(null);
      return form != null
              && form.getNeedAppearances()
              && document.getSignatureFields().stream().anyMatch(PdfReaders::isShown)
          ? "its form has /NeedAppearances: some readers redraw all fields then, and show no signature"
          : null;
    } catch (IOException e) {
      // DSS, which has read it, has nothing to say about readers.
      return null;
    }
  }

  private static boolean isShown(PDSignatureField field) {
    if (field.getCOSObject().getCOSDictionary(COSName.V) == null) {
      return false;
    }
    for (PDAnnotationWidget widget : field.getWidgets()) {
      PDRectangle rectangle = widget.getRectangle();
      if (rectangle != null && rectangle.getWidth() > 0 && rectangle.getHeight() > 0) {
        return true;
      }
    }
    return false;
  }
}
