package org.keywell.dss;

import eu.europa.esig.dss.pdf.AnnotationBox;
import eu.europa.esig.dss.pdf.PDFServiceMode;
import eu.europa.esig.dss.pdf.PDFSignatureService;
import eu.europa.esig.dss.pdf.PdfDocumentReader;
import eu.europa.esig.dss.pdf.modifications.DefaultPdfDifferencesFinder;
import eu.europa.esig.dss.pdf.modifications.PdfModification;
import eu.europa.esig.dss.pdf.pdfbox.PdfBoxNativeObjectFactory;
import eu.europa.esig.dss.pdf.pdfbox.visible.nativedrawer.NativePdfBoxVisibleSignatureDrawer;
import java.util.List;
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

  PdfObjects() {
    setPdfDifferencesFinder(new DrawablePages());
  }

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

  /**
   * Compares the pages of two revisions as pictures, unless one of them takes too much memory: a
   * file of 558 bytes may have a page of 14,400 by 14,400 points.
   */
  private static final class DrawablePages extends DefaultPdfDifferencesFinder {

    /** Nine times A0, at a point for a pixel. */
    private static final double MOST_PIXELS = 9 * 2384 * 3370;

    @Override
    public List<PdfModification> getVisualDifferences(
        PdfDocumentReader signed, PdfDocumentReader last) {
      return isDrawable(signed) && isDrawable(last)
          ? super.getVisualDifferences(signed, last)
          : List.of();
    }

    private static boolean isDrawable(PdfDocumentReader reader) {
      for (int page = 1; page <= reader.getNumberOfPages(); page++) {
        AnnotationBox box = reader.getPageBox(page);
        if ((double) box.getWidth() * box.getHeight() > MOST_PIXELS) {
          return false;
        }
      }
      return true;
    }
  }

  private static final class CatalogLeftAlone extends NativePdfBoxVisibleSignatureDrawer {

    @Override
    protected void checkColorSpace(PDDocument document) {}
  }
}
