package org.keywell.dss;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * A signed document after one byte of its content was changed: another party to the contract.
 *
 * @param content as it is now, where the signed document lacks it
 */
record Tampered(Document signed, Document content) {

  static Tampered of(DocumentFormat format, Document signed, Document content) throws IOException {
    return switch (format) {
      case PADES, XADES_ENVELOPED, CADES -> new Tampered(changed(signed), content);
      case XADES_DETACHED, CADES_DETACHED -> new Tampered(signed, changed(content));
      case XADES_ENVELOPING -> new Tampered(changed(signed, Base64.getEncoder(), content), content);
      case JADES -> new Tampered(changed(signed, Base64.getUrlEncoder(), content), content);
      case ASICE_XADES, ASICE_CADES -> new Tampered(changedWithin(signed, content), content);
    };
  }

  private static Document changed(Document document) {
    return replaced(document, "Astrid rents", "Bstrid rents");
  }

  private static Document changed(Document signed, Base64.Encoder encoder, Document content) {
    String before = encoder.withoutPadding().encodeToString(content.content());
    String after = encoder.withoutPadding().encodeToString(changed(content).content());
    return replaced(signed, before, after);
  }

  private static Document replaced(Document document, String before, String after) {
    String text = new String(document.content(), StandardCharsets.ISO_8859_1);
    String other = text.replace(before, after);
    if (other.equals(text)) {
      throw new AssertionError("not found in " + document);
    }
    return new Document(document.name(), other.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static Document changedWithin(Document container, Document content) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZipInputStream from = new ZipInputStream(new ByteArrayInputStream(container.content()));
        ZipOutputStream to = new ZipOutputStream(out)) {
      for (ZipEntry entry = from.getNextEntry(); entry != null; entry = from.getNextEntry()) {
        Document file = new Document("entry", from.readAllBytes());
        to.putNextEntry(new ZipEntry(entry.getName()));
        to.write((entry.getName().equals(content.name()) ? changed(file) : file).content());
      }
    }
    return new Document(container.name(), out.toByteArray());
  }
}
