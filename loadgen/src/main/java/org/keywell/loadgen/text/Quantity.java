package org.keywell.loadgen.text;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Formats numbers with their units for sentences and tables of a plan. */
public final class Quantity {
  private static final MathContext TWO_DIGITS = new MathContext(2);
  private static final double MINUTE = 60;
  private static final double HOUR = 3_600;
  private static final double DAY = 86_400;

  private Quantity() {}

  /** Formats a number with at most two decimals, fewer if large; small ones with two digits. */
  public static String number(double number) {
    if (number != 0 && Math.abs(number) < 0.1) {
      return new BigDecimal(number).round(TWO_DIGITS).stripTrailingZeros().toPlainString();
    }
    String format = Math.abs(number) < 100 ? "%.2f" : Math.abs(number) < 1_000 ? "%.1f" : "%,.0f";
    String text = String.format(Locale.ROOT, format, number);
    return text.contains(".") ? text.replaceAll("0+$", "").replaceAll("\\.$", "") : text;
  }

  public static String perSecond(double rate) {
    return number(rate) + "/s";
  }

  /** Formats a count that may have a fraction. */
  public static String count(double count) {
    return String.format(Locale.ROOT, "%,.0f", count);
  }

  public static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** Formats a share of 1 in percent, in steps of 0.1, or 0.01 below 1%; never rounds up to 100. */
  public static String percent(double share) {
    double steps = share < 0.01 ? 1e4 : 1e3;
    return number(Math.floor(share * steps + 1e-9) * 100 / steps) + "%";
  }

  public static String millis(double millis) {
    return millis < 10_000 ? number(millis) + " ms" : time(millis / 1e3);
  }

  /** Formats a time in a suitable unit, from seconds to days. */
  public static String time(double seconds) {
    if (seconds < 1) {
      return number(seconds) + " s";
    }
    if (seconds < 2 * MINUTE) {
      return oneDecimal(seconds) + " s";
    }
    if (seconds < 2 * HOUR) {
      return oneDecimal(seconds / MINUTE) + " min";
    }
    return seconds < 2 * DAY
        ? oneDecimal(seconds / HOUR) + " h"
        : oneDecimal(seconds / DAY) + " days";
  }

  /** Formats bytes in a suitable decimal unit. */
  public static String megabytes(double megabytes) {
    return megabytes < 1_000 ? number(megabytes) + " MB" : number(megabytes / 1e3) + " GB";
  }

  /** Formats a number of HSMs for use within a sentence. */
  public static String hsms(int hsms) {
    return hsms == 1 ? "one HSM" : count((long) hsms) + " HSMs";
  }

  private static String oneDecimal(double number) {
    return String.format(Locale.ROOT, number < 100 ? "%.1f" : "%,.0f", number)
        .replaceAll("\\.0$", "");
  }
}
