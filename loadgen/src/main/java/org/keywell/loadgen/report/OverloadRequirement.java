package org.keywell.loadgen.report;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.keywell.loadgen.overload.OverloadResult;

/**
 * A condition on all tests of an overload: {@code accuracy>=98.6%}, on the lowest accuracy of queue
 * and latency in all tests, or {@code dropped=0}, on the highest count. Not met if there was no
 * test, or if one has no accuracy.
 */
public final class OverloadRequirement {
  private final Condition condition;

  private OverloadRequirement(Condition condition) {
    this.condition = condition;
  }

  /**
   * Reads a requirement.
   *
   * @throws IllegalArgumentException saying what is wrong with it
   */
  public static OverloadRequirement parse(String text) {
    Condition condition = Condition.parse(text);
    String unit = condition.unit() == null ? "" : condition.unit();
    String needed =
        switch (condition.name()) {
          case "accuracy" -> "%";
          case "dropped" -> "";
          default ->
              throw new IllegalArgumentException(
                  "'%s' is no figure; there are accuracy, dropped".formatted(condition.name()));
        };
    if (!unit.equals(needed)) {
      throw new IllegalArgumentException(
          "'%s': %s".formatted(text, needed.isEmpty() ? "dropped is a count" : "accuracy needs %"));
    }
    return new OverloadRequirement(condition);
  }

  /** Checks whether all tests meet this. */
  public RequirementResult check(List<OverloadResult> tests) {
    if (tests.isEmpty()) {
      return new RequirementResult(condition.text(), false, "unknown: no test was made");
    }
    if (condition.name().equals("dropped")) {
      int most = tests.stream().mapToInt(OverloadResult::dropped).max().orElseThrow();
      return new RequirementResult(
          condition.text(), condition.holds(most), String.format(Locale.ROOT, "%,d", most));
    }
    OptionalDouble lowest =
        tests.stream()
            .map(OverloadResult::accuracy)
            .min(Comparator.comparingDouble(a -> a.orElse(Double.NEGATIVE_INFINITY)))
            .orElseThrow();
    return lowest.isEmpty()
        ? new RequirementResult(condition.text(), false, "unknown: a last request was not signed")
        : new RequirementResult(
            condition.text(),
            condition.holds(lowest.getAsDouble()),
            Condition.percent(lowest.getAsDouble()));
  }
}
