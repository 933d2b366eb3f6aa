package org.keywell.ca;

import java.text.Normalizer;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The rules for attributes of a distinguished name: readers must see the text exactly as it is, and
 * it must have only one spelling. The examples in {@code docs/API.md} are tested against this.
 */
final class SubjectRules {
  private static final Set<String> COUNTRIES = Set.of(Locale.getISOCountries());

  /**
   * ETSI EN 319 412-1, clause 5.1.3: kind, country, and an identifier of PrintableString characters
   * except the blank.
   */
  private static final Pattern SEMANTIC_IDENTIFIER =
      Pattern.compile(
          "(?:PAS|IDC|PNO|TAX|TIN|[A-Z]{2}:)(?<country>[A-Z]{2})-"
              + "(?=.*[A-Za-z0-9])[A-Za-z0-9'()+,\\-./:=?]+");

  private SubjectRules() {}

  static void requireCommonName(@Nullable String value) {
    if (value == null) {
      throw new InvalidSubjectException(SubjectAttribute.COMMON_NAME, "is missing");
    }
    checkText(SubjectAttribute.COMMON_NAME, value);
  }

  static void checkText(SubjectAttribute attribute, @Nullable String value) {
    if (value == null) {
      return;
    }
    // Check the length in chars first, to bound the scans below.
    if (value.length() > 2 * attribute.upperBound()
        || value.codePointCount(0, value.length()) > attribute.upperBound()) {
      throw new InvalidSubjectException(
          attribute, "is longer than " + attribute.upperBound() + " characters");
    }
    if (value.codePoints().allMatch(SubjectRules::isBlank)) {
      throw new InvalidSubjectException(attribute, "is blank");
    }
    value.codePoints().forEach(codePoint -> checkCodePoint(attribute, codePoint));
    // Directories treat such texts as equal (RFC 4518, section 2.6.1), and so do people.
    if (value.startsWith(" ") || value.endsWith(" ") || value.contains("  ")) {
      throw new InvalidSubjectException(
          attribute, "has a leading or trailing space, or two in a row");
    }
    if (isMark(value.codePointAt(0))) {
      throw new InvalidSubjectException(attribute, "begins with a combining mark");
    }
    if (!Normalizer.isNormalized(value, Normalizer.Form.NFC)) {
      throw new InvalidSubjectException(attribute, "is not in Unicode's normal form C");
    }
  }

  private static boolean isMark(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK, Character.ENCLOSING_MARK ->
          true;
      default -> false;
    };
  }

  private static boolean isBlank(int codePoint) {
    return Character.isWhitespace(codePoint) || Character.isSpaceChar(codePoint);
  }

  private static void checkCodePoint(SubjectAttribute attribute, int codePoint) {
    switch (Character.getType(codePoint)) {
      case Character.SURROGATE ->
          throw new InvalidSubjectException(attribute, "is not well-formed Unicode");
      case Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
          throw new InvalidSubjectException(attribute, "contains a control character");
      // A name that displays in a different order than it is read, or has parts that do not
      // display, can pass for someone else's: bidirectional controls, joiners, soft hyphens, tags.
      case Character.FORMAT ->
          throw new InvalidSubjectException(attribute, "contains a formatting character");
      case Character.PRIVATE_USE, Character.UNASSIGNED ->
          throw new InvalidSubjectException(
              attribute, "contains an unassigned or private-use character");
      case Character.SPACE_SEPARATOR -> {
        if (codePoint != ' ') {
          throw new InvalidSubjectException(attribute, "contains a space other than U+0020");
        }
      }
      default -> {
        if (isInvisible(codePoint)) {
          throw new InvalidSubjectException(attribute, "contains an invisible character");
        }
        if (codePoint == 0xFFFC || codePoint == 0xFFFD) {
          throw new InvalidSubjectException(attribute, "contains a replacement character");
        }
      }
    }
  }

  /**
   * Letters, marks and symbols that show nothing: those with Unicode's property
   * Default_Ignorable_Code_Point, which Java does not expose, and blanks or fillers.
   */
  private static boolean isInvisible(int codePoint) {
    return switch (codePoint) {
      // Combining grapheme joiner, fillers of Hangul and Khitan, inherent vowels of Khmer.
      case 0x034F, 0x115F, 0x1160, 0x3164, 0xFFA0, 0x16FE4, 0x17B4, 0x17B5 -> true;
      // Blank Braille pattern, blank hieroglyphs, null notehead.
      case 0x2800, 0x13441, 0x13442, 0x1D159 -> true;
      // Variation selectors.
      default ->
          (codePoint >= 0x180B && codePoint <= 0x180F)
              || (codePoint >= 0xFE00 && codePoint <= 0xFE0F)
              || (codePoint >= 0xE0100 && codePoint <= 0xE01EF);
    };
  }

  static void checkSerialNumber(@Nullable String value) {
    if (value == null) {
      return;
    }
    checkText(SubjectAttribute.SERIAL_NUMBER, value);
    Matcher identifier = SEMANTIC_IDENTIFIER.matcher(value);
    if (!identifier.matches()) {
      throw new InvalidSubjectException(
          SubjectAttribute.SERIAL_NUMBER,
          "does not have the form of ETSI EN 319 412-1, clause 5.1.3, such as PNOSE-198001011234");
    }
    if (!COUNTRIES.contains(identifier.group("country"))) {
      throw new InvalidSubjectException(
          SubjectAttribute.SERIAL_NUMBER, "names a country that is not in ISO 3166-1");
    }
  }

  static void checkCountry(@Nullable String value) {
    if (value != null && !COUNTRIES.contains(value)) {
      throw new InvalidSubjectException(
          SubjectAttribute.COUNTRY, "is not an ISO 3166-1 alpha-2 code in upper case");
    }
  }
}
