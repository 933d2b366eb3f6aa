package org.keywell.ca;

/** A setting of a certificate profile is out of range or contradicts another setting. */
public final class InvalidProfileException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String setting;
  private final String problem;

  InvalidProfileException(String setting, String problem) {
    super(setting + " " + problem);
    this.setting = setting;
    this.problem = problem;
  }

  /** Returns the name of the invalid {@link ProfileSettings} component. */
  public String setting() {
    return setting;
  }

  /** Returns what is wrong, without the name of the setting. */
  public String problem() {
    return problem;
  }
}
