package org.keywell.ca;

/** A setting of a certificate profile is out of its range, or contradicts another one. */
public final class InvalidProfileException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String setting;
  private final String problem;

  InvalidProfileException(String setting, String problem) {
    super(setting + " " + problem);
    this.setting = setting;
    this.problem = problem;
  }

  /** The component of {@link ProfileSettings} that is wrong. */
  public String setting() {
    return setting;
  }

  /** What is wrong, without the name of the setting. */
  public String problem() {
    return problem;
  }
}
