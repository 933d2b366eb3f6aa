package org.keywell.rest.security;

import java.util.Set;
import org.keywell.rest.problem.Problem;
import org.springframework.security.access.AccessDeniedException;

/** A request for something that is missing or that its caller may not access. */
final class EndpointRefusedException extends AccessDeniedException {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;
  private final transient Set<String> allowedMethods;

  /**
   * @param allowedMethods the answer's {@code Allow}; empty: none
   */
  EndpointRefusedException(Problem problem, Set<String> allowedMethods) {
    super(problem.detail());
    this.problem = problem;
    this.allowedMethods = allowedMethods;
  }

  Problem problem() {
    return problem;
  }

  Set<String> allowedMethods() {
    return allowedMethods;
  }

  /** An answer, not a defect: a flood of them must stay cheap. */
  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
