package org.keywell.loadgen.report;

import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.keywell.loadgen.plot.Plot;
import org.keywell.loadgen.plot.Scale;

/**
 * The plots that show the traditional system and the key pool in one.
 *
 * @param width in the SVG's own units
 */
record SystemsPlots(RunDocument onTheFly, RunDocument pooled, int width) {
  private static final int HEIGHT = 320;
  private static final double BAR = 0.36;

  String latencies() {
    List<Latency> all =
        Stream.of(onTheFly, pooled)
            .flatMap(run -> run.steps().stream())
            .map(step -> step.figures().fromDue())
            .filter(Objects::nonNull)
            .toList();
    double lowest = all.stream().mapToDouble(Latency::p50).min().orElse(1);
    double highest = all.stream().mapToDouble(Latency::p99).max().orElse(1);
    Plot plot =
        new Plot(
                width,
                HEIGHT + 40,
                steps(),
                Scale.Logarithmic.over(lowest, Math.max(highest, RunPlots.PEAK_LIMIT_MILLIS)))
            .verticalAxis("milliseconds")
            .horizontalAxis("requests per second in each step", stepNames())
            .limit("normal", RunPlots.NORMAL_LIMIT_MILLIS, "300 ms, normal hours")
            .limit("peak", RunPlots.PEAK_LIMIT_MILLIS, "3,000 ms, peak")
            .series("c thin", RunPlots.perStep(onTheFly, "median", Latency::p50), true)
            .series("a thin", RunPlots.perStep(pooled, "median", Latency::p50), true)
            .series("c", RunPlots.perStep(onTheFly, "p99", Latency::p99), true)
            .series("a", RunPlots.perStep(pooled, "p99", Latency::p99), true);
    return plot.svg(
        "both-latencies",
        "Latency of each step, of both systems, against the limits of 300 and 3,000 ms",
        "The highest p99 with a key made on the fly is %s ms, with the key pool %s ms."
            .formatted(
                Scale.text(highest(onTheFly, Latency::p99)),
                Scale.text(highest(pooled, Latency::p99))));
  }

  private static double highest(RunDocument run, ToDoubleFunction<Latency> figure) {
    return run.steps().stream()
        .map(step -> step.figures().fromDue())
        .filter(Objects::nonNull)
        .mapToDouble(figure)
        .max()
        .orElse(0);
  }

  String rates() {
    double end = Math.max(RunPlots.endSeconds(onTheFly), RunPlots.endSeconds(pooled));
    double highest = Math.max(RunPlots.highestRate(onTheFly), RunPlots.highestRate(pooled));
    return new Plot(
            width,
            HEIGHT,
            new Scale.Linear(0, end),
            Scale.Logarithmic.over(RunPlots.lowestRate(pooled), highest))
        .verticalAxis("requests per second")
        .horizontalAxis("seconds from the start")
        .series("c", RunPlots.achieved(onTheFly), false)
        .series("a", RunPlots.achieved(pooled), false)
        .series("due", RunPlots.due(pooled), false)
        .svg(
            "both-rates",
            "Rate due and rates achieved over time",
            "The rate achieved with the key pool follows the rate due further up.");
  }

  String dropped() {
    Plot plot =
        new Plot(width, HEIGHT - 100, steps(), new Scale.Linear(0, 100))
            .verticalAxis("% of those due")
            .horizontalAxis("requests per second in each step", stepNames());
    bars(plot, "bar-c", onTheFly, -BAR / 2, "on the fly");
    bars(plot, "bar-a", pooled, BAR / 2, "key pool");
    return plot.svg(
        "both-dropped",
        "Requests dropped in each step",
        "%d of %d with a key made on the fly, %d of %d with the key pool."
            .formatted(
                onTheFly.totals().dropped(),
                onTheFly.totals().due(),
                pooled.totals().dropped(),
                pooled.totals().due()));
  }

  private static void bars(Plot plot, String style, RunDocument run, double shift, String name) {
    for (int i = 0; i < run.steps().size(); i++) {
      Figures figures = run.steps().get(i).figures();
      if (figures.dropped() > 0) {
        double share = 100.0 * figures.dropped() / figures.due();
        String note = "Step %d, %s: %d dropped".formatted(i + 1, name, figures.dropped());
        plot.bar(style, i + shift, BAR, 0, share, note);
      }
    }
  }

  private List<String> stepNames() {
    return RunPlots.stepNames(longer());
  }

  private Scale steps() {
    return new Scale.Linear(-0.6, longer().steps().size() - 0.4);
  }

  private RunDocument longer() {
    return onTheFly.steps().size() > pooled.steps().size() ? onTheFly : pooled;
  }
}
