package org.keywell.bench.report;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Values of named steps, as lines on a logarithmic scale or as bars on a linear one.
 *
 * @param unit of the values
 */
public record Plot(String unit, List<String> steps, List<Line> lines, boolean bars) {

  /**
   * A line, or a bar of each step.
   *
   * @param colour a colour's name in the page's style
   * @param dash lengths of dashes and gaps; empty for a solid line
   * @param points a value per step; null where there is none
   */
  public record Line(
      String label, String colour, List<Integer> dash, List<@Nullable Double> points) {}
}
