package org.keywell.client;

import java.io.IOException;

/** The service answered with a problem instead of the requested result. */
public final class ServiceProblemException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  public ServiceProblemException(Problem problem) {
    super(problem.summary());
    this.problem = problem;
  }

  public Problem problem() {
    return problem;
  }
}
