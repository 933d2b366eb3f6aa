package org.keywell.loadgen.report;

import java.util.Locale;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A condition on a run's figures, such as {@code p99<300ms}, {@code dropped=0}, {@code
 * share3000>=99.9%} or {@code signed=100%}. A latency needs a unit; a count may be a part of all
 * requests that were due ({@code %}). A latency requirement is not met if no request was signed.
 */
public final class Requirement {
  private static final Pattern FORM =
      Pattern.compile(
          "\\s*([a-z0-9]+)\\s*(<=|>=|<|>|=)\\s*([0-9]+(?:\\.[0-9]+)?)\\s*(ms|s|%)?\\s*");

  private static final double EQUAL_WITHIN = 1e-9;

  private final String text;
  private final Metric metric;
  private final String operator;
  private final double bound;
  private final boolean partOfDue;

  private Requirement(
      String text, Metric metric, String operator, double bound, boolean partOfDue) {
    this.text = text;
    this.metric = metric;
    this.operator = operator;
    this.bound = bound;
    this.partOfDue = partOfDue;
  }

  /**
   * Reads a requirement.
   *
   * @throws IllegalArgumentException saying what is wrong with it
   */
  public static Requirement parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is no requirement like 'p99<300ms' or 'dropped=0'");
    }
    Metric metric = metric(group(matcher, 1));
    String unit = matcher.group(4);
    checkUnit(text, metric, unit);
    double number = Double.parseDouble(group(matcher, 3));
    return new Requirement(
        text.strip(),
        metric,
        group(matcher, 2),
        "s".equals(unit) ? number * 1_000 : number,
        metric.unit() == Metric.Unit.COUNT && "%".equals(unit));
  }

  private static String group(Matcher matcher, int group) {
    String text = matcher.group(group);
    if (text == null) {
      throw new IllegalStateException("no group " + group);
    }
    return text;
  }

  private static Metric metric(String label) {
    for (Metric metric : Metric.values()) {
      if (metric.label().equals(label)) {
        return metric;
      }
    }
    throw new IllegalArgumentException(
        "'%s' is no figure; there are %s".formatted(label, String.join(", ", Metric.labels())));
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

  /** Whether the figures meet this. */
  public RequirementResult check(Figures figures) {
    OptionalDouble value = metric.of(figures);
    if (value.isEmpty()) {
      return new RequirementResult(text, false, "no request was signed");
    }
    double actual = value.getAsDouble();
    if (partOfDue) {
      actual = figures.due() == 0 ? 0 : 100 * actual / figures.due();
    }
    return new RequirementResult(text, holds(actual), shown(actual));
  }

  private boolean holds(double actual) {
    boolean equal = Math.abs(actual - bound) <= EQUAL_WITHIN;
    return switch (operator) {
      case "<" -> actual < bound && !equal;
      case "<=" -> actual < bound || equal;
      case ">" -> actual > bound && !equal;
      case ">=" -> actual > bound || equal;
      default -> equal;
    };
  }

  private String shown(double actual) {
    if (partOfDue || metric.unit() == Metric.Unit.PERCENT) {
      return String.format(Locale.ROOT, "%.3f %%", actual);
    }
    return metric.unit() == Metric.Unit.COUNT
        ? String.format(Locale.ROOT, "%,.0f", actual)
        : String.format(Locale.ROOT, "%,.3f ms", actual);
  }

  @Override
  public String toString() {
    return text;
  }
}
