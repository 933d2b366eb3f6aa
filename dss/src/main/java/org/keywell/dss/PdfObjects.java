package org.keywell.dss;

import eu.europa.esig.dss.pdf.PDFServiceMode;
import eu.europa.esig.dss.pdf.PDFSignatureService;
import eu.europa.esig.dss.pdf.pdfbox.PdfBoxNativeObjectFactory;
import eu.europa.esig.dss.pdf.pdfbox.visible.nativedrawer.NativePdfBoxVisibleSignatureDrawer;
import org.apache.pdfbox.pdmodel.PDDocument;

/**
 * DSS's PDFBox services, adapted so that an earlier signature stays valid for strict readers: see
 * {@link PdfRevisions}; and a visible signature does not change the document's catalog.
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
    return configure(new PdfRevisions(mode, parameters -> new CatalogLeftAlone()));
  }

  private static final class CatalogLeftAlone extends NativePdfBoxVisibleSignatureDrawer {

    @Override
    protected void checkColorSpace(PDDocument document) {}
  }
}
