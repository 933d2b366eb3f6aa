package org.keywell.bench.suite;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Figures formatted for people. */
final class Numbers {
  private static final int FINE_BELOW = 10;
  private static final int COARSE_FROM = 100;

  private Numbers() {}

  /** Keeps only meaningful digits; empty for what was not measured. */
  static String text(@Nullable Double value) {
    if (value == null) {
      return "";
    }
    double size = Math.abs(value);
    int digits = size < FINE_BELOW ? 2 : size < COARSE_FROM ? 1 : 0;
    return String.format(Locale.ROOT, "%,." + digits + "f", value);
  }
}
