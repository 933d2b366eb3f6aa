package org.keywell.dss;

import eu.europa.esig.dss.enumerations.SignerTextHorizontalAlignment;
import eu.europa.esig.dss.enumerations.SignerTextVerticalAlignment;
import eu.europa.esig.dss.enumerations.TextWrapping;
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
import org.jspecify.annotations.Nullable;

/** What only PDFs have: space for the signature, and a field that shows it. */
final class PdfParameters {
  /** For CMS with a certificate that says how its signer was identified, and its issuer's. */
  private static final int SIGNATURE_BYTES = 12 * 1024;

  /** A time stamp comes with the certificates of its authority. */
  private static final int TIMESTAMP_BYTES = 16 * 1024;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);
  private static final Color INK = new Color(0x1f2a44);
  private static final Color PAPER = new Color(0xeef2f8);

  private PdfParameters() {}

  /**
   * @param aimedAt the space that is left goes by it, and is part of what is signed
   */
  static PAdESSignatureParameters of(
      @Nullable VisibleSignature visible, ActKey key, Instant signingTime, BaselineLevel aimedAt) {
    String name = DSSASN1Utils.getHumanReadableName(key.certificate());
    String text = "Signed by " + name + "\n" + TIME.format(key.signingTime(signingTime));
    PAdESSignatureParameters parameters = of(visible, text, aimedAt);
    parameters.setSignerName(name);
    return parameters;
  }

  /**
   * @param text what is shown if the field does not say
   */
  static PAdESSignatureParameters of(
      @Nullable VisibleSignature visible, String text, BaselineLevel aimedAt) {
    var parameters = new PAdESSignatureParameters();
    parameters.setContentSize(
        aimedAt == BaselineLevel.T ? SIGNATURE_BYTES + TIMESTAMP_BYTES : SIGNATURE_BYTES);
    if (visible != null) {
      parameters.setImageParameters(image(visible, visible.text() == null ? text : visible.text()));
    }
    return parameters;
  }

  private static SignatureImageParameters image(VisibleSignature visible, String text) {
    var field = new SignatureFieldParameters();
    field.setPage(visible.page());
    field.setOriginX(visible.left());
    field.setOriginY(visible.top());
    field.setWidth(visible.width());
    field.setHeight(visible.height());
    var lines = new SignatureImageTextParameters();
    lines.setText(text);
    lines.setTextColor(INK);
    lines.setBackgroundColor(PAPER);
    lines.setPadding(8);
    lines.setTextWrapping(TextWrapping.FILL_BOX);
    lines.setSignerTextHorizontalAlignment(SignerTextHorizontalAlignment.LEFT);
    lines.setSignerTextVerticalAlignment(SignerTextVerticalAlignment.MIDDLE);
    var image = new SignatureImageParameters();
    image.setFieldParameters(field);
    image.setTextParameters(lines);
    return image;
  }
}
