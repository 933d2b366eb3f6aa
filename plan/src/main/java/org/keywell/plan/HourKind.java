package org.keywell.plan;

import java.util.Locale;

/** The kind of an hour, which decides its response limit and its rate in an assumed profile. */
public enum HourKind {
  PEAK,
  BUSINESS,
  OTHER;

  /** Returns one word for it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
