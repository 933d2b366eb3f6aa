package org.keywell.rest.security;

import org.keywell.rest.problem.Problem;
import org.springframework.security.core.AuthenticationException;

/** A request that comes from no known caller. */
final class CallerRefusedException extends AuthenticationException {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;
  private final boolean mayShowToken;

  /**
   * @param mayShowToken whether a token would help and should be requested
   */
  CallerRefusedException(Problem problem, boolean mayShowToken) {
    super(problem.detail());
    this.problem = problem;
    this.mayShowToken = mayShowToken;
  }

  Problem problem() {
    return problem;
  }

  boolean mayShowToken() {
    return mayShowToken;
  }

  /** An answer, not a defect: a flood of them must stay cheap. */
  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
