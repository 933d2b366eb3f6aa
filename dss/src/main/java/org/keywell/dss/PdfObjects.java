package org.keywell.dss;

import eu.europa.esig.dss.pades.PAdESCommonParameters;
import eu.europa.esig.dss.pdf.PDFServiceMode;
import eu.europa.esig.dss.pdf.PDFSignatureService;
import eu.europa.esig.dss.pdf.pdfbox.PdfBoxNativeObjectFactory;
import eu.europa.esig.dss.pdf.pdfbox.PdfBoxSignatureService;
import eu.europa.esig.dss.pdf.pdfbox.visible.PdfBoxSignatureDrawerFactory;
import eu.europa.esig.dss.pdf.pdfbox.visible.nativedrawer.NativePdfBoxVisibleSignatureDrawer;
import java.io.OutputStream;
import org.apache.pdfbox.cos.COSDocument;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.interactive.digitalsignature.PDSignature;

/**
 * DSS's PDFBox services, adapted so that an earlier signature stays valid for strict readers: no
 * object number is reused, and a visible signature does not change the document's catalog.
 *
 * <p>DSS adds a colour profile to a document without one, for PDF/A, in the catalog's {@code
 * /OutputIntents}. In a document that is already signed, this is not among the changes that a
 * further signature may make (ISO 32000-2, 12.8.2.2), and strict validators report the earlier
 * signature as broken.
 */
final class PdfObjects extends PdfBoxNativeObjectFactory {

  @Override
  public PDFSignatureService newPAdESSignatureService() {
    return service(PDFServiceMode.SIGNATURE);
  }

  @Override
  public PDFSignatureService newSignatureTimestampService() {
    return service(PDFServiceMode.SIGNATURE_TIMESTAMP);
  }

  @Override
  public PDFSignatureService newArchiveTimestampService() {
    return service(PDFServiceMode.ARCHIVE_TIMESTAMP);
  }

  private PDFSignatureService service(PDFServiceMode mode) {
    return configure(new NumbersKept(mode, parameters -> new CatalogLeftAlone()));
  }

  /**
   * PDFBox does not count a cross-reference stream among a document's objects and gives its number
   * to the first new one. Strict readers then refuse the file.
   */
  private static final class NumbersKept extends PdfBoxSignatureService {

    NumbersKept(PDFServiceMode mode, PdfBoxSignatureDrawerFactory drawers) {
      super(mode, drawers);
    }

    @Override
    protected PDSignature createSignatureDictionary(
        PDDocument document, PAdESCommonParameters parameters) {
      keepNumbers(document);
      return super.createSignatureDictionary(document, parameters);
    }

    /** Validation data comes without a signature dictionary. */
    @Override
    public void saveDocumentIncrementally(PDDocument document, OutputStream to) {
      keepNumbers(document);
      super.saveDocumentIncrementally(document, to);
    }

    private static void keepNumbers(PDDocument document) {
      COSDocument objects = document.getDocument();
      objects.setHighestXRefObjectNumber(
          Math.max(
              objects.getHighestXRefObjectNumber(),
              objects.getTrailer().getLong(COSName.SIZE) - 1));
    }
  }

  private static final class CatalogLeftAlone extends NativePdfBoxVisibleSignatureDrawer {

    @Override
    protected void checkColorSpace(PDDocument document) {}
  }
}
