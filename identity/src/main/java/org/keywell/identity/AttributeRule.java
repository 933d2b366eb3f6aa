package org.keywell.identity;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.InvalidSubjectException;
import org.keywell.ca.SubjectAttribute;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A rule that derives one part of a subject from an identity provider's ticket: an entry of the
 * providers file.
 *
 * @param subject the part
 * @param source the attribute's name at the provider; null if all signers have the same {@code
 *     value}
 * @param semantics the type and country of a serial number (ETSI EN 319 412-1, clause 5.1.3), such
 *     as {@code PNOSE}, put before the value with a hyphen; null if the provider's value has it
 * @param value a fixed value for everyone whom the provider attests, such as a country
 * @param optional whether a ticket may lack the attribute
 */
public record AttributeRule(
    @Nullable SubjectAttribute subject,
    @Nullable String source,
    @Nullable String semantics,
    @Nullable String value,
    @DefaultValue("false") boolean optional) {

  private static final int LONGEST_SOURCE = 256;
  private static final Pattern SEMANTICS =
      Pattern.compile("(?:PAS|IDC|PNO|TAX|TIN|[A-Z]{2}:)[A-Z]{2}");

  public AttributeRule {
    if (subject == null) {
      throw new IllegalArgumentException("an attribute names no subject");
    }
    if ((source == null) == (value == null)) {
      throw new IllegalArgumentException(subject + " has either source or value");
    }
    if (source != null && (source.isBlank() || source.length() > LONGEST_SOURCE)) {
      throw new IllegalArgumentException(
          "%s: source has 1 to %d characters".formatted(subject, LONGEST_SOURCE));
    }
    if (value != null && optional) {
      throw new IllegalArgumentException(subject + " has a value, so that it is not optional");
    }
    if (semantics != null) {
      requireSemantics(subject, source, semantics);
    }
    if (value != null) {
      requireAcceptable(subject, value);
    }
  }

  /** Returns the part; never null, unlike the bound setting. */
  SubjectAttribute target() {
    if (subject == null) {
      throw new IllegalStateException("checked at construction");
    }
    return subject;
  }

  private static void requireSemantics(
      SubjectAttribute subject, @Nullable String source, String semantics) {
    if (subject != SubjectAttribute.SERIAL_NUMBER || source == null) {
      throw new IllegalArgumentException("semantics goes with a source for serialNumber");
    }
    if (!SEMANTICS.matcher(semantics).matches()) {
      throw new IllegalArgumentException(
          "semantics is '%s', expected a kind and a country such as PNOSE".formatted(semantics));
    }
    requireAcceptable(subject, semantics + "-1");
  }

  private static void requireAcceptable(SubjectAttribute subject, String value) {
    try {
      new SubjectParts().put(subject, value).toSubject("-");
    } catch (InvalidSubjectException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }
}
