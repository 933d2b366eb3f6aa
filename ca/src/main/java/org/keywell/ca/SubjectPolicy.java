package org.keywell.ca;

import org.jspecify.annotations.Nullable;

/** The attributes that a profile requires of a {@link Subject}. */
public enum SubjectPolicy {
  /** Requires only a common name. */
  ANY("any"),
  /**
   * A natural person per ETSI EN 319 412-2 V2.5.1, clause 4.2.4: {@code countryName}, {@code
   * givenName} or {@code surname}, and {@code commonName} (NAT-4.2.4-1; the alternative, a
   * pseudonym, is not certified), plus {@code serialNumber}, since nothing else distinguishes two
   * people of the same name (NAT-4.2.4-2).
   */
  ETSI_NATURAL_PERSON("etsi-natural-person");

  private final String label;

  SubjectPolicy(String label) {
    this.label = label;
  }

  /** Returns the name in settings. */
  public String label() {
    return label;
  }

  /**
   * Checks that a subject meets this policy.
   *
   * @throws InvalidSubjectException naming a missing attribute
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
          attribute, "is missing; the profile requires it (ETSI EN 319 412-2, clause 4.2.4)");
    }
  }
}
