package org.keywell.loadgen.report;

import java.util.List;
import java.util.Locale;

/** Whether a run met a requirement, and the figure that decided it. */
public record RequirementResult(String requirement, boolean met, String actual) {

  /** A line for each, for a terminal. */
  static String lines(List<RequirementResult> results) {
    StringBuilder text = new StringBuilder();
    for (RequirementResult result : results) {
      text.append(
          String.format(
              Locale.ROOT,
              "%-15s %s (it is %s)%n",
              result.met() ? "met" : "NOT MET",
              result.requirement(),
              result.actual()));
    }
    return text.toString();
  }
}
