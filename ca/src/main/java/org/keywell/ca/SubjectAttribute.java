package org.keywell.ca;

/**
 * The attributes of a {@link Subject}, named as in requests, with the upper bounds of ITU-T X.520
 * (11/2008 and before, annex C: {@code ub-common-name}, {@code ub-serial-number}, {@code
 * ub-organization-name}, {@code ub-organizational-unit-name}, {@code ub-surname} and {@code
 * ub-name}). RFC 5280, appendix A.1, has the same bounds, except that it allows 32768 characters
 * ({@code ub-name}) for {@code givenName} and {@code surname}; later editions of X.520 have no
 * bounds. Keywell limits them to 64, like a common name: software that enforces the older bounds
 * can read these certificates, and they stay small.
 */
public enum SubjectAttribute {
  COMMON_NAME("commonName", 64),
  GIVEN_NAME("givenName", 64),
  SURNAME("surname", 64),
  SERIAL_NUMBER("serialNumber", 64),
  ORGANIZATION("organization", 64),
  ORGANIZATIONAL_UNIT("organizationalUnit", 64),
  COUNTRY("country", 2);

  private final String label;
  private final int upperBound;

  SubjectAttribute(String label, int upperBound) {
    this.label = label;
    this.upperBound = upperBound;
  }

  /** Returns the name in requests, such as {@code commonName}. */
  public String label() {
    return label;
  }

  /** Returns the maximum length, in Unicode code points. */
  public int upperBound() {
    return upperBound;
  }

  @Override
  public String toString() {
    return label;
  }
}
