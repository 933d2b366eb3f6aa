package org.keywell.bench.suite;

import java.util.List;

/**
 * The result of a part.
 *
 * @param ratios comparisons, with or without a target
 * @param readings the figures behind the ratios, and those that cannot be a ratio
 */
public record PartResult(List<Ratio> ratios, List<Reading> readings) {

  public PartResult {
    ratios = List.copyOf(ratios);
    readings = List.copyOf(readings);
  }
}
