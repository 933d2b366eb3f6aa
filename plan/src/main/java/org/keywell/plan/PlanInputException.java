package org.keywell.plan;

/** A setting's value cannot be used; the message follows the setting's name in a sentence. */
public final class PlanInputException extends Exception {
  private static final long serialVersionUID = 1L;

  private final Setting setting;

  public PlanInputException(Setting setting, String problem) {
    super(problem);
    this.setting = setting;
  }

  public Setting setting() {
    return setting;
  }
}
