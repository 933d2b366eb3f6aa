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
import org.keywell.client.Digest;
import org.keywell.client.Signer;

/**
 * A complete PDF to sign, with space for the signature and its visible place, if any.
 *
 * @param field null if the signature is invisible
 */
record PdfToSign(
    DSSDocument content,
    @Nullable VisibleSignature visible,
    @Nullable SignatureFieldParameters field) {

  /** For CMS with its issuer's certificate and one that states how the signer was identified. */
  private static final int SIGNATURE_BYTES = 12 * 1024;

  /** A time stamp contains its authority's certificates. */
  private static final int TIMESTAMP_BYTES = 16 * 1024;

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
  static PdfToSign of(DocumentToSign document, Digest digest) {
    Document given = document.contents().get(0);
    Document pdf = new Document(given.name(), WholePdf.require(given.content()));
    VisibleSignature visible = document.visible();
    return new PdfToSign(
        DocumentFormats.dssDocument(pdf),
        visible,
        visible == null ? null : PdfPlace.in(pdf, visible.place(), digest));
  }

  /**
   * Returns the visible text, as far as it is known without the certificate.
   *
   * @param signer null if the service gets the name from elsewhere
   */
  String expectedText(@Nullable Signer signer, Instant signingTime) {
    return text(signer == null ? "" : signer.commonName(), signingTime);
  }

  /**
   * @param aimedAt determines the reserved space, which is part of the signed data
   */
  PAdESSignatureParameters parameters(ActKey key, Instant signingTime, BaselineLevel aimedAt) {
    String name = DSSASN1Utils.getHumanReadableName(key.certificate());
    PAdESSignatureParameters parameters =
        parameters(text(name, key.signingTime(signingTime)), aimedAt);
    parameters.setSignerName(name);
    return parameters;
  }

  /**
   * @param text the visible text, if the signature is visible
   * @throws IllegalArgumentException if the font cannot show it
   */
  PAdESSignatureParameters parameters(String text, BaselineLevel aimedAt) {
    var parameters = new PAdESSignatureParameters();
    parameters.setContentSize(
        aimedAt == BaselineLevel.B ? SIGNATURE_BYTES : SIGNATURE_BYTES + TIMESTAMP_BYTES);
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
