package org.keywell.rest.sign;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.keywell.rest.http.Door;
import org.keywell.rest.problem.Problem;
import org.keywell.rest.problem.ProblemListener;
import org.keywell.signing.request.Refusal;
import org.keywell.signing.sign.Admission;

/**
 * Refuses signing requests while the queue is full, before they cost anything. Admission still
 * decides about the rest.
 */
public final class SignDoor implements Door {

  private final Set<String> paths;
  private final Admission admission;
  private final ProblemListener problems;

  /**
   * @param paths to which signing requests are posted
   * @param problems notified of each refusal
   */
  public SignDoor(Set<String> paths, Admission admission, ProblemListener problems) {
    this.paths = Set.copyOf(paths);
    this.admission = admission;
    this.problems = problems;
  }

  @Override
  public @Nullable Problem refusal(String method, String path) {
    if (!"POST".equals(method) || !paths.contains(path)) {
      return null;
    }
    Refusal refusal = admission.overload();
    if (refusal == null) {
      return null;
    }
    Problem problem = Problem.of(refusal);
    problems.answered(problem.type());
    return problem;
  }
}
