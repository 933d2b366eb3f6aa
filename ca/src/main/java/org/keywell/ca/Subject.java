package org.keywell.ca;

import org.jspecify.annotations.Nullable;

/**
 * The person or organization named in a certificate. Checked at construction, so an instance can
 * always be encoded. {@code null} means that an attribute is absent. Values are literal: nothing in
 * them is interpreted as an escape or as RFC 4514 syntax.
 *
 * @param serialNumber a natural person's identifier in the form of ETSI EN 319 412-1, clause 5.1.3,
 *     such as {@code PNOSE-198001011234}
 * @param country an ISO 3166-1 alpha-2 code in capitals
 */
public record Subject(
    String commonName,
    @Nullable String givenName,
    @Nullable String surname,
    @Nullable String serialNumber,
    @Nullable String organization,
    @Nullable String organizationalUnit,
    @Nullable String country) {

  /**
   * @throws InvalidSubjectException naming the first attribute that is blank, longer than its
   *     {@link SubjectAttribute#upperBound()}, ill-formed Unicode, not in normal form C, or has
   *     characters or a form that are not allowed
   */
  public Subject {
    SubjectRules.requireCommonName(commonName);
    SubjectRules.checkText(SubjectAttribute.GIVEN_NAME, givenName);
    SubjectRules.checkText(SubjectAttribute.SURNAME, surname);
    SubjectRules.checkSerialNumber(serialNumber);
    SubjectRules.checkText(SubjectAttribute.ORGANIZATION, organization);
    SubjectRules.checkText(SubjectAttribute.ORGANIZATIONAL_UNIT, organizationalUnit);
    SubjectRules.checkCountry(country);
  }

  /** Returns a subject with only a common name. */
  public static Subject ofCommonName(String commonName) {
    return new Subject(commonName, null, null, null, null, null, null);
  }
}
