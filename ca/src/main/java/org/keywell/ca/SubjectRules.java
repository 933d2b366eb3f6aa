package org.keywell.ca;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the attributes of a distinguished name may contain. */
final class SubjectRules {
  private static final Set<String> COUNTRIES = Set.of(Locale.getISOCountries());

  /** ETSI EN 319 412-1, clause 5.1.3; the characters are those of a PrintableString. */
  private static final Pattern SEMANTIC_IDENTIFIER =
      Pattern.compile("(?:PAS|IDC|PNO|TAX|TIN|[A-Z]{2}:)[A-Z]{2}-[A-Za-z0-9 '()+,\\-./:=?]+");

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
    // Length first, in char, so that the scans below are bounded whatever was sent.
    if (value.length() > 2 * attribute.upperBound()
        || value.codePointCount(0, value.length()) > attribute.upperBound()) {
      throw new InvalidSubjectException(
          attribute, "is longer than " + attribute.upperBound() + " characters");
    }
    if (value.codePoints().allMatch(SubjectRules::isBlank)) {
      throw new InvalidSubjectException(attribute, "is blank");
    }
    value.codePoints().forEach(codePoint -> checkCodePoint(attribute, codePoint));
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
      default -> {
        // A name that displays in another order than it is read can pass for someone else's.
        if ((codePoint >= 0x202A && codePoint <= 0x202E)
            || (codePoint >= 0x2066 && codePoint <= 0x2069)) {
          throw new InvalidSubjectException(attribute, "contains a bidirectional control");
        }
      }
    }
  }

  static void checkSerialNumber(@Nullable String value) {
    if (value == null) {
      return;
    }
    checkText(SubjectAttribute.SERIAL_NUMBER, value);
    if (!SEMANTIC_IDENTIFIER.matcher(value).matches()) {
      throw new InvalidSubjectException(
          SubjectAttribute.SERIAL_NUMBER,
          "is not of the form of ETSI EN 319 412-1, clause 5.1.3, such as PNOSE-198001011234");
    }
  }

  static void checkCountry(@Nullable String value) {
    if (value != null && !COUNTRIES.contains(value)) {
      throw new InvalidSubjectException(
          SubjectAttribute.COUNTRY, "is not an ISO 3166-1 alpha-2 code in capitals");
    }
  }
}
