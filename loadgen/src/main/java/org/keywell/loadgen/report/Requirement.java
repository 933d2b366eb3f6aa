package org.keywell.loadgen.report;

import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A condition on a run's figures, such as {@code p99<300ms}, {@code dropped=0}, {@code
 * share3000>=99.9%} or {@code signed=100%}. A latency needs a unit; a count may be a fraction of
 * all due requests ({@code %}). A latency requirement is not met if no request was signed.
 */
public final class Requirement {
  private final Condition condition;
  private final Metric metric;

  private Requirement(Condition condition, Metric metric) {
    this.condition = condition;
    this.metric = metric;
  }

  /**
   * Reads a requirement.
   *
   * @throws IllegalArgumentException saying what is wrong with it
   */
  public static Requirement parse(String text) {
    Condition condition = Condition.parse(text);
    Metric metric = metric(condition.name());
    checkUnit(text, metric, condition.unit());
    return new Requirement(condition, metric);
  }

  private static Metric metric(String label) {
    return Metric.ALL.stream()
        .filter(metric -> metric.label().equals(label))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "'%s' is no figure; there are %s"
                    .formatted(
                        label,
                        Metric.ALL.stream().map(Metric::label).collect(Collectors.joining(", ")))));
  }

  private static void checkUnit(String text, Metric metric, @Nullable String unit) {
    String problem =
        switch (metric.unit()) {
          case MILLIS -> "ms".equals(unit) || "s".equals(unit) ? "" : "needs ms or s";
          case PERCENT -> "%".equals(unit) ? "" : "needs %";
          case COUNT -> unit == null || unit.equals("%") ? "" : "is a count, or a part in %";
        };
    if (!problem.isEmpty()) {
      throw new IllegalArgumentException("'%s': %s %s".formatted(text, metric.label(), problem));
    }
  }

  /** Checks whether the figures meet this. */
  public RequirementResult check(Figures figures) {
    OptionalDouble value = metric.of(figures);
    if (value.isEmpty()) {
      return new RequirementResult(condition.text(), false, "no request was signed");
    }
    double actual = value.getAsDouble();
    if (partOfDue()) {
      actual = figures.due() == 0 ? 0 : 100 * actual / figures.due();
    }
    boolean met = condition.holds("s".equals(condition.unit()) ? actual / 1_000 : actual);
    return new RequirementResult(condition.text(), met, shown(actual));
  }

  private boolean partOfDue() {
    return metric.unit() == Metric.Unit.COUNT && "%".equals(condition.unit());
  }

  private String shown(double actual) {
    if (partOfDue() || metric.unit() == Metric.Unit.PERCENT) {
      return Condition.percent(actual);
    }
    return metric.unit() == Metric.Unit.COUNT
        ? String.format(Locale.ROOT, "%,.0f", actual)
        : String.format(Locale.ROOT, "%,.3f ms", actual);
  }

  @Override
  public String toString() {
    return condition.text();
  }
}
