package org.keywell.identity;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.InvalidSubjectException;
import org.keywell.ca.Subject;
import org.keywell.ca.SubjectAttribute;

/** Builds a subject. Not thread-safe. */
public final class SubjectParts {

  private final Map<SubjectAttribute, String> values = new EnumMap<>(SubjectAttribute.class);

  /** Sets a part; null leaves it unchanged. */
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
   * Returns the subject.
   *
   * @param unnamed the common name if none is set
   * @throws InvalidSubjectException if a part is not allowed in a certificate
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
