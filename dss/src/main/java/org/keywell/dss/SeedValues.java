package org.keywell.dss;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.pdfbox.cos.COSArray;
import org.apache.pdfbox.cos.COSBase;
import org.apache.pdfbox.cos.COSDictionary;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.cos.COSString;
import org.apache.pdfbox.pdmodel.interactive.digitalsignature.PDSeedValue;
import org.apache.pdfbox.pdmodel.interactive.form.PDSignatureField;
import org.keywell.client.Digest;

/**
 * What the author of a signature field requires of a signature in it (ISO 32000-1, 12.7.4.5). A
 * signature without it would be there, and be worth nothing to the author.
 */
final class SeedValues {
  private static final String FILTER = "Adobe.PPKLite";
  private static final String SUB_FILTER = "ETSI.CAdES.detached";

  /** Of the dictionary's version: ISO 32000-2 has 3. */
  private static final float KNOWN_VERSION = 3;

  private static final COSName REQUIREMENTS = COSName.getPDFName("Ff");
  private static final int LOCK_DOCUMENT = 1 << 7;
  private static final int APPEARANCE = 1 << 8;

  private SeedValues() {}

  /**
   * @throws IllegalArgumentException if a requirement is not met, or is none that a signature from
   *     here can meet
   */
  static void require(PDSignatureField field, Digest digest) throws IOException {
    PDSeedValue values = field.getSeedValue();
    if (values == null) {
      return;
    }
    String name = field.getFullyQualifiedName();
    one(name, "handler", values.isFilterRequired(), FILTER, texts(values, "Filter"));
    one(name, "format", values.isSubFilterRequired(), SUB_FILTER, texts(values, "SubFilter"));
    one(
        name,
        "digest algorithm",
        values.isDigestMethodRequired(),
        pdfName(digest),
        texts(values, "DigestMethod"));
    COSDictionary dictionary = values.getCOSObject();
    int required = dictionary.getInt(REQUIREMENTS, 0);
    none(name, "a newer reader", values.isVRequired() && values.getV() > KNOWN_VERSION);
    none(name, "a reason", values.isReasonRequired() && !isEmpty(texts(values, "Reasons")));
    none(
        name,
        "a legal attestation",
        values.isLegalAttestationRequired() && !isEmpty(texts(values, "LegalAttestation")));
    none(
        name,
        "revocation information in an attribute",
        values.isAddRevInfoRequired() && dictionary.getBoolean("AddRevInfo", false));
    none(
        name,
        "a locked document",
        (required & LOCK_DOCUMENT) != 0
            && !"false".equals(dictionary.getNameAsString("LockDocument")));
    none(name, "an appearance", (required & APPEARANCE) != 0);
    none(name, "certifying", values.getMDP() != null && values.getMDP().getP() != 0);
    none(
        name,
        "a time stamp of a certain authority",
        values.getTimeStamp() != null && values.getTimeStamp().isTimestampRequired());
    none(
        name,
        "a certain certificate",
        values.getSeedValueCertificate() != null
            && values.getSeedValueCertificate().getCOSObject().getInt(REQUIREMENTS, 0) != 0);
  }

  private static void one(
      String field, String what, boolean required, String ours, List<String> allowed) {
    if (required && !isEmpty(allowed) && !allowed.contains(ours)) {
      throw new IllegalArgumentException(
          "the signature field '%s' requires the %s %s, and the signature has %s"
              .formatted(field, what, String.join(" or ", allowed), ours));
    }
  }

  private static void none(String field, String what, boolean required) {
    if (required) {
      throw new IllegalArgumentException(
          "the signature field '%s' requires %s, which this signature does not have"
              .formatted(field, what));
    }
  }

  /** Names or strings, as the key and the writer have it; PDFBox expects either. */
  private static List<String> texts(PDSeedValue values, String key) {
    COSBase value = values.getCOSObject().getDictionaryObject(COSName.getPDFName(key));
    return value instanceof COSArray several
        ? IntStream.range(0, several.size())
            .mapToObj(several::getObject)
            .map(SeedValues::text)
            .toList()
        : value == null ? List.of() : List.of(text(value));
  }

  private static String text(COSBase value) {
    if (value instanceof COSName name) {
      return name.getName();
    }
    return value instanceof COSString string ? string.getString() : String.valueOf(value);
  }

  private static boolean isEmpty(List<String> values) {
    return values.isEmpty() || values.equals(List.of("."));
  }

  /** Such as {@code SHA256}. */
  private static String pdfName(Digest digest) {
    return digest.label().replace("-", "");
  }
}
