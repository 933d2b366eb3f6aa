package org.keywell.ca.issuance;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1BMPString;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1IA5String;
import org.bouncycastle.asn1.ASN1NumericString;
import org.bouncycastle.asn1.ASN1PrintableString;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.ASN1UTF8String;
import org.bouncycastle.asn1.ASN1VisibleString;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;

/**
 * A distinguished name that equals another only if both read the same, character by character.
 * {@link X500Principal#equals} folds case, blanks and Unicode's compatibility characters (NFKD), so
 * there a name in fullwidth letters equals one in ASCII.
 *
 * <p>Text in string types with Unicode characters is compared regardless of the type. For all other
 * types, including T61String with its many interpretations, the encodings are compared. The order
 * of relative distinguished names matters; the order of attributes within one does not.
 */
public record ExactName(List<List<Attribute>> relativeNames) {

  /**
   * An attribute's type and value.
   *
   * @param type the object identifier in dotted form
   * @param value the text, or the encoding in hexadecimal digits
   */
  public record Attribute(String type, boolean isText, String value) {

    private static final Comparator<Attribute> ANY_ORDER =
        Comparator.comparing(Attribute::type)
            .thenComparing(Attribute::isText)
            .thenComparing(Attribute::value);

    static Attribute of(AttributeTypeAndValue attribute) {
      String type = attribute.getType().getId();
      return text(attribute.getValue())
          .map(text -> new Attribute(type, true, text))
          .orElseGet(() -> new Attribute(type, false, encoding(attribute.getValue())));
    }
  }

  /** Returns the name of a principal; empty if its encoding cannot be read. */
  public static Optional<ExactName> of(X500Principal principal) {
    try {
      List<List<Attribute>> names = new ArrayList<>();
      for (RDN rdn : X500Name.getInstance(principal.getEncoded()).getRDNs()) {
        names.add(
            Stream.of(rdn.getTypesAndValues())
                .map(Attribute::of)
                .sorted(Attribute.ANY_ORDER)
                .toList());
      }
      return Optional.of(new ExactName(List.copyOf(names)));
    } catch (IllegalArgumentException | IllegalStateException e) {
      // Bouncy Castle parses some parts lazily and reports errors with either exception.
      return Optional.empty();
    }
  }

  private static Optional<String> text(ASN1Encodable value) {
    return switch (value.toASN1Primitive()) {
      case ASN1UTF8String utf8 -> wellFormed(utf8);
      case ASN1PrintableString printable -> Optional.of(printable.getString());
      case ASN1IA5String ia5 -> Optional.of(ia5.getString());
      case ASN1NumericString numeric -> Optional.of(numeric.getString());
      case ASN1VisibleString visible -> Optional.of(visible.getString());
      case ASN1BMPString bmp -> Optional.of(bmp.getString());
      default -> Optional.empty();
    };
  }

  private static Optional<String> wellFormed(ASN1String utf8) {
    try {
      return Optional.of(utf8.getString());
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static String encoding(ASN1Encodable value) {
    try {
      return HexFormat.of().formatHex(value.toASN1Primitive().getEncoded(ASN1Encoding.DER));
    } catch (IOException e) {
      throw new IllegalArgumentException("a value cannot be encoded", e);
    }
  }
}
