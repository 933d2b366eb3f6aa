package org.keywell.ca;

/** A subject attribute is not acceptable in a certificate. The message never contains its value. */
public final class InvalidSubjectException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final SubjectAttribute attribute;
  private final String problem;

  InvalidSubjectException(SubjectAttribute attribute, String problem) {
    super(attribute.label() + " " + problem);
    this.attribute = attribute;
    this.problem = problem;
  }

  public SubjectAttribute attribute() {
    return attribute;
  }

  /** Returns what is wrong, without the attribute's name: for example {@code is blank}. */
  public String problem() {
    return problem;
  }
}
