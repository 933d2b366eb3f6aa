package org.keywell.loadgen.overload;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The rate of one test: requests per second such as {@code 40}, or a multiple of the base rate such
 * as {@code 1.5x}.
 */
public record OverloadRate(double value, boolean timesBase) {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,6}(?:\\.[0-9]{1,6})?)(x?)");

  /**
   * Reads a rate.
   *
   * @throws IllegalArgumentException if it is not one, or not above 0 (a multiple: not above 1)
   */
  public static OverloadRate parse(String text) {
    Matcher matcher = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (matcher.matches()) {
      double value = Double.parseDouble(matcher.group(1));
      boolean timesBase = !matcher.group(2).isEmpty();
      if (value > (timesBase ? 1 : 0)) {
        return new OverloadRate(value, timesBase);
      }
    }
    throw new IllegalArgumentException(
        "'" + text + "' is no rate above the base rate, such as 40 (per second) or 1.5x");
  }

  public double perSecond(double baseRatePerSecond) {
    return timesBase ? value * baseRatePerSecond : value;
  }
}
