package org.keywell.plan;

import java.util.Arrays;

/** What the forms in which a week's rates may be given have in common. */
final class WeekRates {

  private WeekRates() {}

  /** The rate that a text gives; NaN if it is none, or out of range. */
  static double rate(String text) {
    try {
      double rate = Double.parseDouble(text);
      return rate >= 0 && rate <= Week.MAX_RATE ? rate : Double.NaN;
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  static Week week(double[] ratesPerSecond) throws PlanFormatException {
    if (Arrays.stream(ratesPerSecond).allMatch(rate -> rate == 0)) {
      throw new PlanFormatException("all rates of the week are 0");
    }
    return Week.ofRates(ratesPerSecond);
  }
}
