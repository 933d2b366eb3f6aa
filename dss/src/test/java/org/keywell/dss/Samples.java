package org.keywell.dss;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.PDPageContentStream.AppendMode;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.font.Standard14Fonts;

/** Small documents to sign. */
final class Samples {
  static final String SENTENCE = "Astrid rents the boat to Birger for the month of June.";

  private Samples() {}

  /** Of a kind that the format signs. */
  static Document of(DocumentFormat format) {
    return switch (format) {
      case PADES -> pdf();
      case XADES_ENVELOPED, XADES_ENVELOPING -> xml();
      case XADES_DETACHED, CADES, CADES_DETACHED, ASICE_XADES, ASICE_CADES -> text();
      case JADES -> json();
    };
  }

  static Document text() {
    return new Document("contract.txt", (SENTENCE + "\n").getBytes(StandardCharsets.UTF_8));
  }

  static Document json() {
    return new Document(
        "contract.json", "{\"text\":\"%s\"}".formatted(SENTENCE).getBytes(StandardCharsets.UTF_8));
  }

  static Document xml() {
    return new Document(
        "contract.xml",
        "<contract><text>%s</text></contract>"
            .formatted(SENTENCE)
            .getBytes(StandardCharsets.UTF_8));
  }

  static Document pdf() {
    try (PDDocument document = new PDDocument();
        ByteArrayOutputStream out = new ByteArrayOutputStream()) {
      PDPage page = new PDPage(PDRectangle.A5);
      document.addPage(page);
      try (PDPageContentStream content =
          new PDPageContentStream(document, page, AppendMode.OVERWRITE, false)) {
        content.beginText();
        content.setFont(new PDType1Font(Standard14Fonts.FontName.HELVETICA_BOLD), 16);
        content.newLineAtOffset(40, 530);
        content.showText("Contract");
        content.setFont(new PDType1Font(Standard14Fonts.FontName.HELVETICA), 11);
        content.newLineAtOffset(0, -28);
        content.showText(SENTENCE);
        content.endText();
      }
      document.save(out);
      return new Document("contract.pdf", out.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
