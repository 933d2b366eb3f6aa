package org.keywell.dss;

import eu.europa.esig.dss.model.DSSDocument;
import eu.europa.esig.dss.spi.DSSUtils;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts the signatures of an act into its documents. The key cannot sign again, so what cannot reach
 * its level is kept at the highest one that it can.
 *
 * @param level of all signatures of the act
 * @param shortfall why this is not the requested level; null if it is
 */
record Assembly(List<Document> documents, BaselineLevel level, @Nullable Exception shortfall) {

  /**
   * @param search finds what levels LT and LTA need; null below
   * @throws DocumentSigningException if the signatures do not go into the documents at any level
   */
  static Assembly of(
      DocumentSignRequest request,
      List<PendingSignature> signatures,
      List<byte[]> values,
      BaselineLevel asked,
      @Nullable RevocationSearch search)
      throws DocumentSigningException {
    try {
      Exception shortfall = null;
      if (search != null) {
        try {
          return new Assembly(
              longTerm(request, signatures, values, asked, search), asked, shortfall);
        } catch (DocumentExtensionException e) {
          shortfall = e;
        }
      }
      if (asked != BaselineLevel.B) {
        try {
          return new Assembly(
              all(request, signatures, values, BaselineLevel.T), BaselineLevel.T, shortfall);
        } catch (RuntimeException e) {
          shortfall = e;
        }
      }
      return new Assembly(
          all(request, signatures, values, BaselineLevel.B), BaselineLevel.B, shortfall);
    } catch (RuntimeException e) {
      throw new DocumentSigningException(
          "the signatures were made, but do not go into the documents: " + e.getMessage(), e);
    }
  }

  private static List<Document> longTerm(
      DocumentSignRequest request,
      List<PendingSignature> signatures,
      List<byte[]> values,
      BaselineLevel level,
      RevocationSearch search)
      throws DocumentExtensionException {
    List<Document> documents = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      DocumentToSign document = request.documents().get(i);
      try {
        DSSDocument signed = signatures.get(i).signed(values.get(i), level);
        search.requireComplete(
            signed,
            document.format().detached()
                ? document.contents().stream().map(DocumentFormats::dssDocument).toList()
                : List.of(),
            document.contents().get(0).passwordCharacters());
        documents.add(named(document, signed));
      } catch (RuntimeException e) {
        throw search.failure(document.signedName(), e);
      }
    }
    return documents;
  }

  private static List<Document> all(
      DocumentSignRequest request,
      List<PendingSignature> signatures,
      List<byte[]> values,
      BaselineLevel level) {
    List<Document> documents = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      documents.add(
          named(request.documents().get(i), signatures.get(i).signed(values.get(i), level)));
    }
    return documents;
  }

  private static Document named(DocumentToSign document, DSSDocument signed) {
    byte[] content = DSSUtils.toByteArray(signed);
    if (document.format() == DocumentFormat.PADES) {
      CrossReferences.requireAdded(document.contents().get(0).content(), content);
    }
    return new Document(document.signedName(), content, document.contents().get(0).password());
  }
}
