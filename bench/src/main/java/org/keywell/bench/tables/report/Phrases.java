package org.keywell.bench.tables.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.keywell.bench.tables.figure.Column;
import org.keywell.bench.tables.figure.MeasuredTable;
import org.keywell.bench.tables.figure.Quantity;

/** Parts of sentences that are computed from figures. */
final class Phrases {

  private Phrases() {}

  /** Where figures of a column come from, to follow them. */
  static String where(Column column) {
    return switch (column) {
      case NATIVE -> "on this HSM";
      case SIMULATED -> "on the simulated device";
      case SIMULATED_LANES -> "on the simulated device with more lanes";
    };
  }

  /** "a", "a and b", "a, b and c". */
  static String join(List<String> phrases) {
    if (phrases.size() < 2) {
      return String.join("", phrases);
    }
    return String.join(", ", phrases.subList(0, phrases.size() - 1)) + " and " + phrases.getLast();
  }

  /** A phrase for each column in which the quantity was timed, from its median over all rows. */
  static List<String> eachColumn(
      MeasuredTable table, Quantity quantity, Function<Column, String> phrase) {
    List<String> phrases = new ArrayList<>();
    for (Column column : table.columns()) {
      if (table.typicalMillis(column, quantity).isPresent()) {
        phrases.add(phrase.apply(column));
      }
    }
    return phrases;
  }

  /** The median over all rows, with its unit and its place. */
  static String typical(MeasuredTable table, Column column, Quantity quantity) {
    return millis(table.typicalMillis(column, quantity)) + " " + where(column);
  }

  /** All that the thesis prints for a quantity. */
  static String printed(MeasuredTable table, Quantity quantity) {
    return Millis.range(
            table.leastPrinted(quantity).orElse(Double.NaN),
            table.greatestPrinted(quantity).orElse(Double.NaN))
        + " ms in the thesis";
  }

  static String millis(OptionalDouble millis) {
    return millis.isPresent() ? Millis.text(millis.getAsDouble()) + " ms" : "–";
  }

  static String percent(double share) {
    return share >= 0.1
        ? String.format(Locale.ROOT, "%.0f %%", share * 100)
        : String.format(Locale.ROOT, "%.1f %%", share * 100);
  }

  /** "3.2 times", for one figure as a multiple of another. */
  static String times(double factor) {
    return (factor >= 100
            ? String.format(Locale.ROOT, "%,.0f", factor)
            : String.format(Locale.ROOT, factor >= 10 ? "%.1f" : "%.2f", factor))
        + " times";
  }
}
