package org.keywell.plan;

import java.util.Locale;

/** What sort of hour it is: which response limit holds, and which rate an assumed profile has. */
public enum HourKind {
  PEAK,
  BUSINESS,
  OTHER;

  /** One word for it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
