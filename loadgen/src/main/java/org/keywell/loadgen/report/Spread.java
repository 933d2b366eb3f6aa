package org.keywell.loadgen.report;

import java.util.stream.DoubleStream;

/** A figure over several rounds. */
public record Spread(double median, double least, double most) {

  /** Returns that of figures, of which there is at least one. */
  public static Spread of(DoubleStream figures) {
    double[] sorted = figures.sorted().toArray();
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new Spread(median, sorted[0], sorted[sorted.length - 1]);
  }

  /** Returns a ratio for people. */
  public String text() {
    return text("%.2f");
  }

  /**
   * Returns it for people.
   *
   * @param format of one figure
   */
  public String text(String format) {
    return (format + " (" + format + "–" + format + ")").formatted(median, least, most);
  }
}
