package org.keywell.bench.modes;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Ratio of a figure between two kinds of load: over all rounds, and per round, which shows how much
 * of it is the machine's noise.
 *
 * @param single per round, in ascending order
 */
record Ratios(double overall, List<Double> single) {

  /** Compares runs of the same rounds; at least one of each. */
  static Ratios of(
      List<ClosedRun> runs, List<ClosedRun> others, ToDoubleFunction<ClosedRun> figure) {
    double[] single = new double[runs.size()];
    for (int i = 0; i < single.length; i++) {
      single[i] = figure.applyAsDouble(runs.get(i)) / figure.applyAsDouble(others.get(i));
    }
    Arrays.sort(single);
    return new Ratios(
        figure.applyAsDouble(ClosedRun.together(runs))
            / figure.applyAsDouble(ClosedRun.together(others)),
        Arrays.stream(single).boxed().toList());
  }

  /** Returns the median; for an even number, the upper of the middle two. */
  double median() {
    return single.get(single.size() / 2);
  }

  /** Returns, for example, {@code 0.912 (0.897 to 0.931)}. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "%.3f (%.3f to %.3f)", overall, single.getFirst(), single.getLast());
  }
}
