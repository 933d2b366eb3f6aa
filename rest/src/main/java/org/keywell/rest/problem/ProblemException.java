package org.keywell.rest.problem;

/** Carries a {@link Problem} from where a request is refused to where it is rendered. */
public final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  public ProblemException(ProblemType type, String detail) {
    this(new Problem(type, detail));
  }

  public ProblemException(Problem problem) {
    super(problem.detail(), null, false, false);
    this.problem = problem;
  }

  public Problem problem() {
    return problem;
  }
}
