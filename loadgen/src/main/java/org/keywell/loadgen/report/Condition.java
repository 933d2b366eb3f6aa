package org.keywell.loadgen.report;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A figure's name, an operator and a number, such as {@code p99<300ms}. Does not know what the name
 * stands for.
 *
 * @param text as it was written
 * @param name the figure's
 * @param operator one of {@code < <= = >= >}
 * @param bound the number, without its unit
 * @param unit {@code ms}, {@code s} or {@code %}; null for none
 */
record Condition(String text, String name, String operator, double bound, @Nullable String unit) {
  private static final Pattern FORM =
      Pattern.compile(
          "\\s*([a-z0-9]+)\\s*(<=|>=|<|>|=)\\s*([0-9]+(?:\\.[0-9]+)?)\\s*(ms|s|%)?\\s*");

  private static final double EQUAL_WITHIN = 1e-9;

  /**
   * Reads a condition.
   *
   * @throws IllegalArgumentException if it does not have the form
   */
  static Condition parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is no requirement like 'p99<300ms' or 'dropped=0'");
    }
    return new Condition(
        text.strip(),
        group(matcher, 1),
        group(matcher, 2),
        Double.parseDouble(group(matcher, 3)),
        matcher.group(4));
  }

  private static String group(Matcher matcher, int group) {
    String text = matcher.group(group);
    if (text == null) {
      throw new IllegalStateException("no group " + group);
    }
    return text;
  }

  /** Whether a figure, in this condition's unit, meets it. */
  boolean holds(double actual) {
    boolean equal = Math.abs(actual - bound) <= EQUAL_WITHIN;
    return switch (operator) {
      case "<" -> actual < bound && !equal;
      case "<=" -> actual < bound || equal;
      case ">" -> actual > bound && !equal;
      case ">=" -> actual > bound || equal;
      default -> equal;
    };
  }

  /** Formats a count in percent, with the digits that decide. */
  static String percent(double percent) {
    return String.format(Locale.ROOT, "%.3f %%", percent);
  }
}
