package org.keywell.dss;

import eu.europa.esig.dss.enumerations.SignerTextHorizontalAlignment;
import eu.europa.esig.dss.enumerations.SignerTextVerticalAlignment;
import eu.europa.esig.dss.enumerations.TextWrapping;
import eu.europa.esig.dss.model.DSSDocument;
import eu.europa.esig.dss.pades.PAdESSignatureParameters;
import eu.europa.esig.dss.pades.PAdESTimestampParameters;
import eu.europa.esig.dss.pades.SignatureFieldParameters;
import eu.europa.esig.dss.pades.SignatureImageParameters;
import eu.europa.esig.dss.pades.SignatureImageTextParameters;
import eu.europa.esig.dss.spi.DSSASN1Utils;
import java.awt.Color;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.keywell.client.Digest;
import org.keywell.client.Signer;

/**
 * A complete PDF to sign, with space for the signature and its visible place, if any.
 *
 * @param field null if the signature is invisible
 * @param stamp the bytes that its time stamp may have; 0 if it gets none
 */
record PdfToSign(
    Document document,
    DSSDocument content,
    @Nullable VisibleSignature visible,
    @Nullable SignatureFieldParameters field,
    int stamp) {

  /** What CMS of one signature has besides certificates. */
  private static final int BESIDES_CERTIFICATES = 4 * 1024;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);
  private static final Color INK = new Color(0x1f2a44);
  private static final Color PAPER = new Color(0xeef2f8);

  /**
   * Reads the document.
   *
   * @throws IllegalArgumentException if it is not a complete PDF, or cannot show the signature
   */
  static PdfToSign of(DocumentToSign document, Digest digest, int stamp) {
    Document pdf = WholePdf.require(document.contents().get(0));
    VisibleSignature visible = document.visible();
    return new PdfToSign(
        pdf,
        DocumentFormats.dssDocument(pdf),
        visible,
        visible == null ? null : PdfPlace.in(pdf, visible.place(), digest),
        stamp);
  }

  /**
   * Returns the visible text, as far as it is known without the certificate.
   *
   * @param signer null if the service gets the name from elsewhere
   */
  String expectedText(@Nullable Signer signer, Instant signingTime) {
    return text(signer == null ? "" : signer.commonName(), signingTime);
  }

  /** Returns parameters for a key; the reserved space is part of the signed data. */
  PAdESSignatureParameters parameters(ActKey key, Instant signingTime) {
    String name = DSSASN1Utils.getHumanReadableName(key.certificate());
    int certificates =
        key.chain().stream().mapToInt(certificate -> certificate.getEncoded().length).sum();
    PAdESSignatureParameters parameters =
        parameters(text(name, key.signingTime(signingTime)), BESIDES_CERTIFICATES + certificates);
    parameters.setSignerName(name);
    return parameters;
  }

  /**
   * @param text the visible text, if the signature is visible
   * @param cms the bytes that a signature without a time stamp may have
   * @throws IllegalArgumentException if the font cannot show it
   */
  PAdESSignatureParameters parameters(String text, int cms) {
    PAdESSignatureParameters parameters = opening(document, stamp);
    parameters.setContentSize(cms + stamp);
    if (visible != null) {
      SignatureFont font = SignatureFont.of(visible.font());
      font.require(text);
      var image = new SignatureImageParameters();
      image.setFieldParameters(Objects.requireNonNull(field));
      image.setTextParameters(lines(text, font));
      parameters.setImageParameters(image);
    }
    return parameters;
  }

  /**
   * Returns parameters that open a PDF, and by which time stamps have as much space apart from a
   * signature as in one.
   */
  static PAdESSignatureParameters opening(Document pdf, int stamp) {
    PAdESSignatureParameters parameters = new PAdESSignatureParameters();
    parameters.setPasswordProtection(pdf.passwordCharacters());
    for (PAdESTimestampParameters each :
        List.of(
            parameters.getSignatureTimestampParameters(),
            parameters.getArchiveTimestampParameters())) {
      each.setContentSize(stamp);
      each.setPasswordProtection(pdf.passwordCharacters());
    }
    return parameters;
  }

  private String text(String name, Instant signingTime) {
    return visible != null && visible.text() != null
        ? visible.text()
        : "Signed by " + name + "\n" + TIME.format(signingTime);
  }

  private static SignatureImageTextParameters lines(String text, SignatureFont font) {
    var lines = new SignatureImageTextParameters();
    lines.setText(text);
    lines.setFont(font.embedded());
    lines.setTextColor(INK);
    lines.setBackgroundColor(PAPER);
    lines.setPadding(8);
    lines.setTextWrapping(TextWrapping.FILL_BOX);
    lines.setSignerTextHorizontalAlignment(SignerTextHorizontalAlignment.LEFT);
    lines.setSignerTextVerticalAlignment(SignerTextVerticalAlignment.MIDDLE);
    return lines;
  }
}
