package org.keywell.service.identity;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.InvalidSubjectException;
import org.keywell.ca.Subject;
import org.keywell.ca.SubjectAttribute;

/** A subject in the making. Not thread-safe. */
public final class SubjectParts {

  private final Map<SubjectAttribute, String> values = new EnumMap<>(SubjectAttribute.class);

  /** Sets a part; null leaves it as it is. */
  public SubjectParts put(SubjectAttribute attribute, @Nullable String value) {
    if (value != null) {
      values.put(attribute, value);
    }
    return this;
  }

  public @Nullable String get(SubjectAttribute attribute) {
    return values.get(attribute);
  }

  /**
   * The whole.
   *
   * @param unnamed the common name if there is none
   * @throws InvalidSubjectException if a part cannot stand in a certificate
   */
  public Subject toSubject(String unnamed) {
    return new Subject(
        values.getOrDefault(SubjectAttribute.COMMON_NAME, unnamed),
        get(SubjectAttribute.GIVEN_NAME),
        get(SubjectAttribute.SURNAME),
        get(SubjectAttribute.SERIAL_NUMBER),
        get(SubjectAttribute.ORGANIZATION),
        get(SubjectAttribute.ORGANIZATIONAL_UNIT),
        get(SubjectAttribute.COUNTRY));
  }
}
