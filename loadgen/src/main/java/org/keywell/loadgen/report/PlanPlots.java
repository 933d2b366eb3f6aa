package org.keywell.loadgen.report;

import java.util.ArrayList;
import java.util.List;
import org.keywell.loadgen.plan.Plan;
import org.keywell.loadgen.plot.Plot;
import org.keywell.loadgen.plot.Scale;
import org.keywell.loadgen.text.Quantity;

/** The plots of one plan: what happens in the course of a week. */
record PlanPlots(Plan plan) {

  /** Narrow enough for its words to be read on a telephone. */
  private static final int WIDTH = 480;

  private static final int HEIGHT = 280;
  private static final int HOURS_PER_DAY = 24;
  private static final List<String> DAYS = List.of("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun");

  String depth() {
    List<Double> keys = plan.week().depthKeys();
    double most = keys.stream().mapToDouble(k -> k).max().orElse(0);
    double unit = most >= 1e6 ? 1e6 : most >= 1e4 ? 1e3 : 1;
    List<Plot.Point> points = new ArrayList<>();
    for (int hour = 0; hour < keys.size(); hour++) {
      points.add(new Plot.Point(x(hour), keys.get(hour) / unit, ""));
    }
    return new Plot(WIDTH, HEIGHT, days(), Scale.Linear.upTo(Math.max(1, most / unit)))
        .verticalAxis(unit == 1e6 ? "million keys" : unit == 1e3 ? "thousand keys" : "keys")
        .horizontalAxis("day of the week", DAYS)
        .area("b", points)
        .series("b", points, false)
        .svg(
            "plan-depth",
            "Stored keys over the week",
            "It begins with %s keys; the fewest are %s."
                .formatted(
                    Quantity.count(keys.getFirst()),
                    Quantity.count(keys.stream().mapToDouble(k -> k).min().orElse(0))));
  }

  String rates() {
    List<Plot.Point> used = steps(plan.week().usedPerSecond());
    List<Plot.Point> made = steps(plan.week().madePerSecond());
    double highest =
        Math.max(
            plan.demand().highestPerSecond(),
            made.stream().mapToDouble(Plot.Point::y).max().orElse(0));
    return new Plot(WIDTH, HEIGHT, days(), Scale.Linear.upTo(highest))
        .verticalAxis("keys per second")
        .horizontalAxis("day of the week", DAYS)
        .area("a", used)
        .series("a", used, false)
        .area("b", made)
        .series("b", made, false)
        .svg(
            "plan-rates",
            "Keys used and keys made per second over the week",
            "Used: %s/s on average; made: %s a week."
                .formatted(
                    Quantity.number(plan.demand().meanPerSecond()),
                    Quantity.count(plan.pool().madePerWeek())));
  }

  private static List<Plot.Point> steps(List<Double> perHour) {
    List<Plot.Point> points = new ArrayList<>();
    for (int hour = 0; hour < perHour.size(); hour++) {
      points.add(new Plot.Point(x(hour), perHour.get(hour), ""));
      points.add(new Plot.Point(x(hour + 1), perHour.get(hour), ""));
    }
    return points;
  }

  /** A day's name stands below its middle. */
  private static Scale days() {
    return new Scale.Linear(-0.5, DAYS.size() - 0.5);
  }

  private static double x(int hour) {
    return (double) hour / HOURS_PER_DAY - 0.5;
  }
}
