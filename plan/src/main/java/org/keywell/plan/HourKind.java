package org.keywell.plan;

/** What sort of hour it is: which response limit holds, and which rate an assumed profile has. */
public enum HourKind {
  PEAK("peak"),
  BUSINESS("business"),
  OTHER("other");

  private final String label;

  HourKind(String label) {
    this.label = label;
  }

  /** One word for it. */
  public String label() {
    return label;
  }
}
