package org.keywell.loadgen.cli;

import java.util.List;
import org.keywell.loadgen.report.RequirementResult;

/** The program's exit codes. An interrupted run ends with the signal's usual code. */
public final class ExitCodes {
  public static final int DONE = 0;
  public static final int FAILED = 1;
  public static final int MISUSED = 2;
  public static final int REQUIREMENT_NOT_MET = 3;

  private ExitCodes() {}

  /** A wrong signature, or none at all, is worse than a requirement that is not met. */
  static int of(boolean signedAndRight, List<RequirementResult> requirements) {
    if (!signedAndRight) {
      return FAILED;
    }
    return requirements.stream().allMatch(RequirementResult::met) ? DONE : REQUIREMENT_NOT_MET;
  }
}
