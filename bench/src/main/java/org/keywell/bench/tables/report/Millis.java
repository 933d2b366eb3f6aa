package org.keywell.bench.tables.report;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import org.keywell.bench.tables.figure.Printed;

/** Times formatted for people. */
final class Millis {
  private static final int PRINTED_DIGITS = 4;

  private Millis() {}

  /** Formats three significant digits (at most four decimals), or all before the point. */
  static String text(double millis) {
    double size = Math.abs(millis);
    if (size >= 100) {
      return String.format(Locale.ROOT, "%,.0f", millis);
    }
    String form = size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : size >= 0.1 ? "%.3f" : "%.4f";
    return String.format(Locale.ROOT, form, millis);
  }

  /** Formats a time as printed in the thesis. */
  static String text(Printed printed) {
    return printed.single()
        ? plain(printed.fromMillis())
        : plain(printed.fromMillis()) + "–" + plain(printed.toMillis());
  }

  private static String plain(double millis) {
    return new BigDecimal(millis)
        .setScale(PRINTED_DIGITS, RoundingMode.HALF_UP)
        .stripTrailingZeros()
        .toPlainString();
  }
}
