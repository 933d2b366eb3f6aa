package org.keywell.dss;

import eu.europa.esig.dss.model.DSSDocument;
import eu.europa.esig.dss.model.DSSException;
import eu.europa.esig.dss.model.DSSMessageDigest;
import eu.europa.esig.dss.pades.PAdESCommonParameters;
import eu.europa.esig.dss.pades.validation.PdfValidationDataContainer;
import eu.europa.esig.dss.pdf.PDFServiceMode;
import eu.europa.esig.dss.pdf.PdfDocumentReader;
import eu.europa.esig.dss.pdf.pdfbox.PdfBoxSignatureService;
import eu.europa.esig.dss.pdf.pdfbox.visible.PdfBoxSignatureDrawerFactory;
import eu.europa.esig.dss.spi.DSSUtils;
import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import org.apache.pdfbox.cos.COSArray;
import org.apache.pdfbox.cos.COSBase;
import org.apache.pdfbox.cos.COSDictionary;
import org.apache.pdfbox.cos.COSDocument;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.cos.COSObject;
import org.apache.pdfbox.cos.COSObjectKey;
import org.apache.pdfbox.cos.COSUpdateInfo;
import org.apache.pdfbox.io.RandomAccessReadBuffer;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.interactive.digitalsignature.PDSignature;
import org.jspecify.annotations.Nullable;

/**
 * Adds revisions to PDFs, which change nothing but the field, its appearance and what a signature
 * needs: strict validators report an earlier signature as broken for less. Not thread-safe.
 *
 * <p>PDFBox gives a type to each annotation without one that it looks at, and writes it again. DSS
 * declares extensions, in the catalog, that the document may declare in another form already.
 */
final class PdfRevisions extends PdfBoxSignatureService {
  private byte[] before = {};
  private byte[] cms = {};
  private @Nullable MessageDigest digest;
  private @Nullable PDSignature signature;
  private List<COSDictionary> untyped = List.of();

  PdfRevisions(PDFServiceMode mode, PdfBoxSignatureDrawerFactory drawers) {
    super(mode, drawers);
  }

  @Override
  protected DSSMessageDigest computeDigest(DSSDocument pdf, PAdESCommonParameters parameters) {
    before = DSSUtils.toByteArray(pdf);
    MessageDigest ours = DSSUtils.getMessageDigest(parameters.getDigestAlgorithm());
    digest = ours;
    super.computeDigest(pdf, parameters);
    return new DSSMessageDigest(parameters.getDigestAlgorithm(), ours.digest());
  }

  @Override
  protected DSSDocument signDocument(
      DSSDocument pdf, byte[] signed, PAdESCommonParameters parameters) {
    before = DSSUtils.toByteArray(pdf);
    cms = signed;
    return super.signDocument(pdf, signed, parameters);
  }

  /** Validation data comes without a signature dictionary. */
  @Override
  public DSSDocument addDssDictionary(
      DSSDocument pdf, PdfValidationDataContainer data, char[] password, boolean byUse) {
    before = DSSUtils.toByteArray(pdf);
    return super.addDssDictionary(pdf, data, password, byUse);
  }

  @Override
  protected PDSignature createSignatureDictionary(
      PDDocument document, PAdESCommonParameters parameters) {
    keepNumbers(document);
    untyped = untypedAnnotations(document);
    signature = super.createSignatureDictionary(document, parameters);
    return signature;
  }

  @Override
  protected void ensureESICDeveloperExtension1(PdfDocumentReader reader) {
    if (declaresNoExtension(reader)) {
      super.ensureESICDeveloperExtension1(reader);
    }
  }

  @Override
  protected void ensureESICDeveloperExtension2(PdfDocumentReader reader) {
    if (declaresNoExtension(reader)) {
      super.ensureESICDeveloperExtension2(reader);
    }
  }

  private static boolean declaresNoExtension(PdfDocumentReader reader) {
    return reader.getCatalogDictionary().getAsDict("Extensions") == null;
  }

  @Override
  public void saveDocumentIncrementally(PDDocument document, OutputStream to) {
    keepNumbers(document);
    untyped.forEach(annotation -> annotation.removeItem(COSName.TYPE));
    keepOthers(document);
    try (PdfRevisionWriter writer = new PdfRevisionWriter(to, new RandomAccessReadBuffer(before))) {
      writer.write(
          document,
          content -> {
            if (digest != null) {
              digest.update(content.readAllBytes());
            }
            return cms;
          });
    } catch (IOException e) {
      throw new DSSException("the revision cannot be written: " + e.getMessage(), e);
    }
  }

  /**
   * PDFBox does not count a cross-reference stream among a document's objects and gives its number
   * to the first new one. Strict readers then refuse the file.
   */
  private static void keepNumbers(PDDocument document) {
    COSDocument objects = document.getDocument();
    objects.setHighestXRefObjectNumber(
        Math.max(
            objects.getHighestXRefObjectNumber(), objects.getTrailer().getLong(COSName.SIZE) - 1));
  }

  private static List<COSDictionary> untypedAnnotations(PDDocument document) {
    List<COSDictionary> found = new ArrayList<>();
    for (PDPage page : document.getPages()) {
      COSArray annotations = page.getCOSObject().getCOSArray(COSName.ANNOTS);
      for (int i = 0; annotations != null && i < annotations.size(); i++) {
        if (annotations.getObject(i) instanceof COSDictionary annotation
            && !annotation.containsKey(COSName.TYPE)) {
          found.add(annotation);
        }
      }
    }
    return found;
  }

  /** Makes PDFBox write no object that is there already, unless the signature changes it. */
  private void keepOthers(PDDocument document) {
    COSDocument objects = document.getDocument();
    for (COSObjectKey key : objects.getXrefTable().keySet()) {
      COSObject reference = objects.getObjectFromPool(key);
      COSBase object = reference.getObject();
      if (object instanceof COSUpdateInfo flagged
          && flagged.isNeedToBeUpdated()
          && !mayChange(object, document)) {
        flagged.setNeedToBeUpdated(false);
        reference.setNeedToBeUpdated(false);
      }
    }
  }

  private boolean mayChange(COSBase object, PDDocument document) {
    COSDictionary catalog = document.getDocumentCatalog().getCOSObject();
    COSDictionary form = catalog.getCOSDictionary(COSName.ACRO_FORM);
    if (object.equals(catalog)
        || object.equals(form)
        || (form != null && object.equals(form.getDictionaryObject(COSName.FIELDS)))) {
      return true;
    }
    return object instanceof COSDictionary dictionary
        && (COSName.PAGE.equals(dictionary.getCOSName(COSName.TYPE))
            || holdsSignature(dictionary)
            || holdsSignature(dictionary.getCOSDictionary(COSName.PARENT)));
  }

  /** Whether it is the field; of several places that show it, each has the field as its parent. */
  private boolean holdsSignature(@Nullable COSDictionary dictionary) {
    return dictionary != null
        && signature != null
        && signature.getCOSObject().equals(dictionary.getDictionaryObject(COSName.V));
  }
}
