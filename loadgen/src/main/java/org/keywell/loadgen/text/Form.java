package org.keywell.loadgen.text;

import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleFunction;

/** How a template shows a number: {@code 0.00} with that many decimals, or by a unit's name. */
final class Form {
  private static final double HOUR_SECONDS = 3_600;
  private static final double DAY_SECONDS = 86_400;
  private static final Map<String, DoubleFunction<String>> UNITS =
      Map.of(
          "number", Quantity::number,
          "percent", Form::percent,
          "share", Quantity::percent,
          "millis", Quantity::millis,
          "time", Quantity::time,
          "hours", hours -> Quantity.time(hours * HOUR_SECONDS),
          "days", days -> Quantity.time(days * DAY_SECONDS),
          "megabytes", Quantity::megabytes,
          "hsms", hsms -> Quantity.hsms((int) hsms),
          "Hsms", hsms -> hsms == 1 ? "One HSM" : Quantity.hsms((int) hsms));

  private final DoubleFunction<String> shown;

  private Form(DoubleFunction<String> shown) {
    this.shown = shown;
  }

  /** Returns the form of this name; a leading comma separates thousands. */
  static Form named(String name) {
    if (name.matches(",?0(\\.0+)?")) {
      int point = name.indexOf('.');
      int decimals = point < 0 ? 0 : name.length() - point - 1;
      String format = (name.startsWith(",") ? "%,." : "%.") + decimals + "f";
      return new Form(number -> String.format(Locale.ROOT, format, number));
    }
    DoubleFunction<String> unit = UNITS.get(name);
    if (unit == null) {
      throw new IllegalStateException("a template's form '" + name + "' is not there");
    }
    return new Form(unit);
  }

  String of(double number) {
    return shown.apply(number);
  }

  /** Never rounds up to 100 %. */
  private static String percent(double share) {
    return Quantity.number(Math.floor(share * 10_000 + 1e-9) / 100) + " %";
  }
}
