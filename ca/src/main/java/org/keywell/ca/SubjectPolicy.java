package org.keywell.ca;

import org.jspecify.annotations.Nullable;

/** Which attributes a profile wants a {@link Subject} to have. */
public enum SubjectPolicy {
  /** A common name; whatever else is known. */
  ANY("any"),
  /**
   * A natural person by ETSI EN 319 412-2 V2.5.1, clause 4.2.4: {@code countryName}, {@code
   * givenName} or {@code surname}, and {@code commonName} (NAT-4.2.4-1; the alternative, a
   * pseudonym, is not certified), and a {@code serialNumber}, which alone keeps two people of one
   * name apart (NAT-4.2.4-2).
   */
  ETSI_NATURAL_PERSON("etsi-natural-person");

  private final String label;

  SubjectPolicy(String label) {
    this.label = label;
  }

  /** The name in settings. */
  public String label() {
    return label;
  }

  /**
   * Holds a subject to this.
   *
   * @throws InvalidSubjectException naming an attribute that is missing
   */
  void require(Subject subject) {
    switch (this) {
      case ANY -> {}
      case ETSI_NATURAL_PERSON -> {
        require(SubjectAttribute.COUNTRY, subject.country());
        if (subject.surname() == null) {
          require(SubjectAttribute.GIVEN_NAME, subject.givenName());
        }
        require(SubjectAttribute.SERIAL_NUMBER, subject.serialNumber());
      }
    }
  }

  private static void require(SubjectAttribute attribute, @Nullable String value) {
    if (value == null) {
      throw new InvalidSubjectException(
          attribute, "is missing; the profile wants it (ETSI EN 319 412-2, clause 4.2.4)");
    }
  }
}
