package org.keywell.dss;

import eu.europa.esig.dss.enumerations.SignerTextHorizontalAlignment;
import eu.europa.esig.dss.enumerations.SignerTextVerticalAlignment;
import eu.europa.esig.dss.enumerations.TextWrapping;
import eu.europa.esig.dss.model.DSSDocument;
import eu.europa.esig.dss.pades.PAdESSignatureParameters;
import eu.europa.esig.dss.pades.SignatureFieldParameters;
import eu.europa.esig.dss.pades.SignatureImageParameters;
import eu.europa.esig.dss.pades.SignatureImageTextParameters;
import eu.europa.esig.dss.spi.DSSASN1Utils;
import java.awt.Color;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.keywell.client.Signer;

/**
 * A whole PDF, with space for the signature, and the place where it is shown if any.
 *
 * @param field null if the signature is not shown
 */
record PdfToSign(
    DSSDocument content,
    @Nullable VisibleSignature visible,
    @Nullable SignatureFieldParameters field) {

  /** For CMS with a certificate that says how its signer was identified, and its issuer's. */
  private static final int SIGNATURE_BYTES = 12 * 1024;

  /** A time stamp comes with the certificates of its authority. */
  private static final int TIMESTAMP_BYTES = 16 * 1024;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);
  private static final Color INK = new Color(0x1f2a44);
  private static final Color PAPER = new Color(0xeef2f8);

  /**
   * Looks into the document.
   *
   * @throws IllegalArgumentException if it is not a whole PDF, or cannot show the signature so
   */
  static PdfToSign of(DocumentToSign document) {
    Document pdf = document.contents().get(0);
    WholePdf.require(pdf.content());
    VisibleSignature visible = document.visible();
    return new PdfToSign(
        DocumentFormats.dssDocument(pdf),
        visible,
        visible == null ? null : PdfPlace.in(pdf, visible.place()));
  }

  /**
   * What is shown, as far as it is known without the certificate.
   *
   * @param signer null if the service learns the name from somebody else
   */
  String expectedText(@Nullable Signer signer, Instant signingTime) {
    return text(signer == null ? "" : signer.commonName(), signingTime);
  }

  /**
   * @param aimedAt the space that is left goes by it, and is part of what is signed
   */
  PAdESSignatureParameters parameters(ActKey key, Instant signingTime, BaselineLevel aimedAt) {
    String name = DSSASN1Utils.getHumanReadableName(key.certificate());
    PAdESSignatureParameters parameters =
        parameters(text(name, key.signingTime(signingTime)), aimedAt);
    parameters.setSignerName(name);
    return parameters;
  }

  /**
   * @param text what is shown, if anything is
   * @throws IllegalArgumentException if the font cannot show it
   */
  PAdESSignatureParameters parameters(String text, BaselineLevel aimedAt) {
    var parameters = new PAdESSignatureParameters();
    parameters.setContentSize(
        aimedAt == BaselineLevel.T ? SIGNATURE_BYTES + TIMESTAMP_BYTES : SIGNATURE_BYTES);
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
