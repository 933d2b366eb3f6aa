package org.keywell.ca;

/**
 * The attributes of a {@link Subject}, named as in requests, with RFC 5280's upper bounds (appendix
 * A.1). RFC 5280 gives {@code givenName} and {@code surname} 32768 characters ({@code ub-name});
 * they are held to 64 here, as a common name is, so that a certificate stays small.
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

  /** The name in requests, such as {@code commonName}. */
  public String label() {
    return label;
  }

  /** The largest length, in Unicode code points. */
  public int upperBound() {
    return upperBound;
  }

  @Override
  public String toString() {
    return label;
  }
}
