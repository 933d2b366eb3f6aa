package org.keywell.loadgen.plot;

import java.util.List;
import java.util.Locale;

/**
 * Draws one plot as an SVG element. Colours come from the page's style sheet, by class; a mark's
 * exact values show when it is pointed at. What is drawn later covers what is drawn earlier.
 */
public final class Plot {
  private static final int LEFT = 62;
  private static final int RIGHT = 16;
  private static final int TOP = 14;
  private static final int BOTTOM = 46;
  private static final int LETTER_WIDTH = 7;

  /** From this width on, a narrow page must not shrink a plot to fit. */
  private static final int WIDE = 700;

  /**
   * A point of a series.
   *
   * @param y NaN leaves a gap
   * @param note what is shown when it is pointed at
   */
  public record Point(double x, double y, String note) {}

  private final int width;
  private final int height;
  private final Scale across;
  private final Scale up;
  private final StringBuilder marks = new StringBuilder();

  public Plot(int width, int height, Scale across, Scale up) {
    this.width = width;
    this.height = height;
    this.across = across;
    this.up = up;
  }

  /** Lines across at the vertical axis's ticks, with their values and what they are. */
  public Plot verticalAxis(String label) {
    for (double tick : up.ticks()) {
      line("grid", LEFT, y(tick), width - RIGHT, y(tick));
      text("tick end", LEFT - 8, y(tick) + 4, Scale.text(tick));
    }
    double middle = (TOP + height - BOTTOM) / 2.0;
    add(
        "<text class=\"axis\" transform=\"translate(14 %.1f) rotate(-90)\">%s</text>",
        middle, Markup.escape(label));
    return this;
  }

  /** The horizontal axis with its ticks' values. */
  public Plot horizontalAxis(String label) {
    for (double tick : across.ticks()) {
      line("grid faint", x(tick), TOP, x(tick), height - BOTTOM);
      text("tick", x(tick), height - BOTTOM + 18, Scale.text(tick));
    }
    return baseline(label);
  }

  /** The horizontal axis with a name at each of the values 0, 1, 2 … */
  public Plot horizontalAxis(String label, List<String> names) {
    // Where names would run into each other, only every second or third one is shown.
    int longest = names.stream().mapToInt(String::length).max().orElse(0);
    int needed = names.size() * (longest + 1) * LETTER_WIDTH;
    int every = Math.max(1, Math.ceilDiv(needed, width - LEFT - RIGHT));
    for (int i = 0; i < names.size(); i += every) {
      text("tick", x(i), height - BOTTOM + 18, names.get(i));
    }
    return baseline(label);
  }

  private Plot baseline(String label) {
    line("base", LEFT, height - BOTTOM, width - RIGHT, height - BOTTOM);
    text("axis", (LEFT + width - RIGHT) / 2.0, height - 6, label);
    return this;
  }

  /** A line across at a value that matters, with its name. */
  public Plot limit(String style, double value, String name) {
    line("limit " + style, LEFT, y(value), width - RIGHT, y(value));
    text("name start " + style, LEFT + 6, y(value) - 5, name);
    return this;
  }

  /** A line from point to point; with dots where they are few enough to be told apart. */
  public Plot series(String style, List<Point> points, boolean dots) {
    path("line " + style, pathOf(points));
    for (Point point : points) {
      if (dots && !Double.isNaN(point.y())) {
        add(
            "<circle class=\"dot %s\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"><title>%s</title></circle>",
            style, x(point.x()), y(point.y()), Markup.escape(point.note()));
      }
    }
    return this;
  }

  /** The area between a line and the horizontal axis. */
  public Plot area(String style, List<Point> points) {
    if (points.isEmpty()) {
      return this;
    }
    String closing =
        String.format(
            Locale.ROOT,
            "L%.1f %dL%.1f %dZ",
            x(points.getLast().x()),
            height - BOTTOM,
            x(points.getFirst().x()),
            height - BOTTOM);
    path("area " + style, pathOf(points) + closing);
    return this;
  }

  /** A bar from one value to another around {@code x}, {@code breadth} of the axis's units wide. */
  public Plot bar(String style, double x, double breadth, double from, double to, String note) {
    double left = x(x - breadth / 2);
    add(
        "<rect class=\"bar %s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\">"
            + "<title>%s</title></rect>",
        style,
        left,
        y(to),
        x(x + breadth / 2) - left,
        Math.max(0, y(from) - y(to)),
        Markup.escape(note));
    return this;
  }

  /**
   * The plot.
   *
   * @param id unique in the page
   * @param title what it shows, for those who cannot see it
   * @param description what there is to see
   */
  public String svg(String id, String title, String description) {
    return """
    <svg%s viewBox="0 0 %d %d" role="img" aria-labelledby="%s-t %s-d">
    <title id="%s-t">%s</title><desc id="%s-d">%s</desc>
    %s</svg>
    """
        .formatted(
            width >= WIDE ? " class=\"wide\"" : "", width, height, id, id, id, Markup.escape(title), id, Markup.escape(description), marks);
  }

  private String pathOf(List<Point> points) {
    StringBuilder path = new StringBuilder();
    boolean gap = true;
    for (Point point : points) {
      if (!Double.isNaN(point.y())) {
        path.append(
            String.format(Locale.ROOT, "%s%.1f %.1f", gap ? "M" : "L", x(point.x()), y(point.y())));
      }
      gap = Double.isNaN(point.y());
    }
    return path.toString();
  }

  private double x(double value) {
    return LEFT + across.position(value) * (width - LEFT - RIGHT);
  }

  private double y(double value) {
    return height - BOTTOM - up.position(value) * (height - TOP - BOTTOM);
  }

  private void line(String style, double x1, double y1, double x2, double y2) {
    add(
        "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
        style, x1, y1, x2, y2);
  }

  private void path(String style, String path) {
    add("<path class=\"%s\" d=\"%s\"/>", style, path);
  }

  private void text(String style, double x, double y, String text) {
    add("<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>", style, x, y, Markup.escape(text));
  }

  @SuppressWarnings("AnnotateFormatMethod") // the annotation would need a library at run time
  private void add(String format, Object... arguments) {
    marks.append(String.format(Locale.ROOT, format, arguments)).append('\n');
  }
}
