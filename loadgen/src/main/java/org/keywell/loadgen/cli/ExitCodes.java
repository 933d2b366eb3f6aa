package org.keywell.loadgen.cli;

import java.util.List;
import org.keywell.loadgen.report.RequirementResult;

/** What the program ends with. A run that is interrupted ends with the signal's usual code. */
public final class ExitCodes {
  public static final int DONE = 0;
  public static final int FAILED = 1;
  public static final int MISUSED = 2;
  public static final int REQUIREMENT_NOT_MET = 3;

  private ExitCodes() {}

  /**
   * A wrong signature is worse than any requirement that is not met, and so is a run without one.
   */
  static int of(boolean signedAndRight, List<RequirementResult> requirements) {
    if (!signedAndRight) {
      return FAILED;
    }
    return requirements.stream().allMatch(RequirementResult::met) ? DONE : REQUIREMENT_NOT_MET;
  }
}
