package org.keywell.loadgen.report;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Values in a plot.
 *
 * @param unit of the values
 * @param steps names of the steps, or of the equal stretches of a course
 */
public record Plot(String unit, List<String> steps, List<Line> lines, Form form) {

  /** How it is drawn. */
  public enum Form {
    /** A line through a value per step, on a logarithmic scale. */
    LINES,
    /** A bar per value, on a linear scale. */
    BARS,
    /** An area below values at 0, 1, 2 and so on, on a linear scale. */
    COURSE
  }

  /**
   * A line, or a bar of each step.
   *
   * @param colour a colour's name in the page's style
   * @param dash lengths of dashes and gaps; empty for a solid line
   * @param points a value per step or place; null where there is none
   * @param level whether a value stays until the next
   */
  public record Line(
      String label,
      String colour,
      List<Integer> dash,
      List<@Nullable Double> points,
      boolean level) {

    public Line(String label, String colour, List<Integer> dash, List<@Nullable Double> points) {
      this(label, colour, dash, points, false);
    }
  }
}
