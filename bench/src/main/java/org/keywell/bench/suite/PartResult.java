package org.keywell.bench.suite;

import java.util.List;

/**
 * What a part came to.
 *
 * @param ratios what is held against a target, or compared without one
 * @param readings what the ratios were made of, and what cannot be a ratio
 */
public record PartResult(PartId id, List<Ratio> ratios, List<Reading> readings) {

  public PartResult {
    ratios = List.copyOf(ratios);
    readings = List.copyOf(readings);
  }
}
