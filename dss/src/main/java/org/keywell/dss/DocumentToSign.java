package org.keywell.dss;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content for one signature.
 *
 * @param contents one document; for a container its files, with different names
 * @param visible where a PDF shows the signature; null for an invisible one
 */
public record DocumentToSign(
    DocumentFormat format, List<Document> contents, @Nullable VisibleSignature visible) {

  public DocumentToSign {
    contents = List.copyOf(contents);
    if (contents.isEmpty() || (contents.size() > 1 && !format.container())) {
      throw new IllegalArgumentException(
          format + " signs one document, only containers sign several");
    }
    if (contents.stream().map(Document::name).distinct().count() < contents.size()) {
      throw new IllegalArgumentException("two files of a container have the same name");
    }
    if (visible != null && format != DocumentFormat.PADES) {
      throw new IllegalArgumentException(format + " shows no signature, only PADES does");
    }
  }

  /** Returns a single document; a PDF's signature is invisible. */
  public static DocumentToSign of(Document content, DocumentFormat format) {
    return new DocumentToSign(format, List.of(content), null);
  }

  /** Returns files for one container under one signature. */
  public static DocumentToSign container(List<Document> contents, DocumentFormat format) {
    return new DocumentToSign(format, contents, null);
  }

  /** Returns a PDF with a visible signature. */
  public static DocumentToSign pdf(Document content, VisibleSignature visible) {
    return new DocumentToSign(DocumentFormat.PADES, List.of(content), visible);
  }

  /** Returns the result's name, derived from the first document's. */
  String signedName() {
    return format.signedName(contents.get(0).name());
  }
}
