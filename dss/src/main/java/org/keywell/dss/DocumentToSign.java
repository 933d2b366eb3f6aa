package org.keywell.dss;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one signature is to be over.
 *
 * @param contents one document; a container's files, with different names
 * @param visible where a PDF shows the signature; null if it does not
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

  /** One document; a PDF's signature is not shown. */
  public static DocumentToSign of(Document content, DocumentFormat format) {
    return new DocumentToSign(format, List.of(content), null);
  }

  /** Files that get into one container under one signature. */
  public static DocumentToSign container(List<Document> contents, DocumentFormat format) {
    return new DocumentToSign(format, contents, null);
  }

  /** A PDF that shows its signature. */
  public static DocumentToSign pdf(Document content, VisibleSignature visible) {
    return new DocumentToSign(DocumentFormat.PADES, List.of(content), visible);
  }

  /** What the result is called: after the first document. */
  String signedName() {
    return format.signedName(contents.get(0).name());
  }
}
