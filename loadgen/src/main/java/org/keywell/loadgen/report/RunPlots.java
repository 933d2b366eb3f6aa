package org.keywell.loadgen.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.keywell.client.PoolStatus;
import org.keywell.loadgen.plot.Plot;
import org.keywell.loadgen.plot.Scale;
import org.keywell.loadgen.watch.PoolPoint;

/**
 * The plots of one run.
 *
 * @param id makes the names of its elements unique in a page that shows several runs
 * @param width of a plot over the page's whole width, in the SVG's own units
 * @param like a run whose scales to take over where they reach further, for comparison
 */
record RunPlots(RunDocument run, String id, int width, RunDocument like) {
  private static final int HEIGHT = 300;

  /** A queue of one request now and then must not look like a mountain range. */
  private static final double SHORTEST_QUEUE_AXIS = 10;

  static final double NORMAL_LIMIT_MILLIS = 300;
  static final double PEAK_LIMIT_MILLIS = 3_000;

  private record Band(String style, String name, ToDoubleFunction<Figures> count) {}

  private static final List<Band> BANDS =
      List.of(
          new Band("signed", "signed", Figures::signed),
          new Band("refused", "refused", Figures::refused),
          new Band("failed", "failed", f -> f.failed() + f.connectionErrors()),
          new Band("timeout", "timed out", f -> f.timeouts() + f.abandoned()),
          new Band("unsent", "not sent", Figures::unsent));

  String rates() {
    double highest = Math.max(highestRate(run), highestRate(like));
    double lowest = Math.min(lowestRate(run), lowestRate(like));
    return new Plot(width, HEIGHT, seconds(), Scale.Logarithmic.over(lowest, highest))
        .verticalAxis("requests per second")
        .horizontalAxis("seconds from the start")
        .area("a", achieved(run))
        .series("a", achieved(run), false)
        .series("due", due(run), false)
        .svg(
            id + "-rates",
            "Rate due and rate achieved over time",
            "The rate due rises to %s per second; the highest achieved in a slice of time is %s."
                .formatted(
                    Scale.text(highestDue(run)),
                    Scale.text(
                        run.rates().stream().mapToDouble(RatePoint::achieved).max().orElse(0))));
  }

  static List<Plot.Point> due(RunDocument run) {
    List<Plot.Point> due = new ArrayList<>();
    for (StepFigures step : run.steps()) {
      due.add(new Plot.Point(step.startSeconds(), step.perSecondDue(), ""));
      due.add(
          new Plot.Point(step.startSeconds() + step.durationSeconds(), step.perSecondDue(), ""));
    }
    return due;
  }

  static List<Plot.Point> achieved(RunDocument run) {
    List<Plot.Point> achieved = new ArrayList<>();
    for (RatePoint slice : run.rates()) {
      achieved.add(new Plot.Point(slice.from(), slice.achieved(), ""));
      achieved.add(new Plot.Point(slice.to(), slice.achieved(), ""));
    }
    return achieved;
  }

  String latencies() {
    double highest = Math.max(highestLatency(run), highestLatency(like));
    double lowest = Math.min(lowestLatency(run), lowestLatency(like));
    Plot plot =
        new Plot(
                width,
                HEIGHT + 60,
                steps(),
                Scale.Logarithmic.over(lowest, Math.max(highest, PEAK_LIMIT_MILLIS)))
            .verticalAxis("milliseconds")
            .horizontalAxis("requests per second in each step", stepNames(run))
            .limit("normal", NORMAL_LIMIT_MILLIS, "300 ms, normal hours")
            .limit("peak", PEAK_LIMIT_MILLIS, "3,000 ms, peak");
    plot.series("d", perStep(run, "maximum", Latency::max), true);
    plot.series("c", perStep(run, "p99", Latency::p99), true);
    plot.series("b", perStep(run, "p90", Latency::p90), true);
    plot.series("a", perStep(run, "p50", Latency::p50), true);
    return plot.svg(
        id + "-latencies",
        "Latency of each step against the limits of 300 and 3,000 ms",
        "Median, 90th and 99th percentile and maximum, from when requests were due; the highest is "
            + Scale.text(highestLatency(run))
            + " ms.");
  }

  String queue() {
    List<Plot.Point> length =
        run.pool().stream().map(p -> new Plot.Point(p.seconds(), p.queueLength(), "")).toList();
    double longest = Math.max(SHORTEST_QUEUE_AXIS, Math.max(longestQueue(run), longestQueue(like)));
    int limit = queueLimit(run.service());
    // An empty queue under a far limit is a line on the floor: the limit shows only if it is near.
    boolean showLimit = limit > 0 && longest * 4 >= limit;
    double highest = 1.05 * Math.max(longest, Math.max(limit, queueLimit(like.service())));
    Plot plot =
        new Plot(half(), HEIGHT, seconds(), Scale.Linear.upTo(showLimit ? highest : longest))
            .verticalAxis("requests that wait")
            .horizontalAxis("seconds from the start");
    if (showLimit) {
      plot.limit("peak", limit, "limit " + Scale.text(limit));
    }
    return plot.area("a", length)
        .series("a", length, false)
        .svg(
            id + "-queue",
            "Length of the sign queue over time",
            "It is at most %s, of %s allowed.".formatted(longestQueue(run), limit));
  }

  String pool() {
    List<Plot.Point> depth =
        run.pool().stream().map(p -> new Plot.Point(p.seconds(), p.depth(), "")).toList();
    List<Plot.Point> loaded =
        run.pool().stream().map(p -> new Plot.Point(p.seconds(), p.loaded(), "")).toList();
    double deepest = Math.max(deepestPool(run), deepestPool(like));
    return new Plot(half(), HEIGHT, seconds(), Scale.Linear.upTo(deepest))
        .verticalAxis("keys")
        .horizontalAxis("seconds from the start")
        .area("b", depth)
        .series("b", depth, false)
        .area("a", loaded)
        .series("a", loaded, false)
        .svg(
            id + "-pool",
            "Depth of the key pool over time",
            "All keys that are left, and those of them that are loaded into the HSM.");
  }

  String outcomes() {
    Plot plot =
        new Plot(width, HEIGHT - 60, steps(), new Scale.Linear(0, 100))
            .verticalAxis("% of those due")
            .horizontalAxis("requests per second in each step", stepNames(run));
    for (int i = 0; i < run.steps().size(); i++) {
      StepFigures step = run.steps().get(i);
      double below = 0;
      for (Band band : BANDS) {
        double count = band.count().applyAsDouble(step.figures());
        double share = 100 * count / step.figures().due();
        if (count > 0) {
          String note = "Step %d: %.0f %s".formatted(step.number(), count, band.name());
          plot.bar(band.style(), i, 0.8, below, below + share, note);
        }
        below += share;
      }
    }
    return plot.svg(
        id + "-outcomes",
        "How the requests of each step ended",
        "%d of %d were signed.".formatted(run.totals().signed(), run.totals().due()));
  }

  private int half() {
    return width / 2 - 10;
  }

  private Scale seconds() {
    return new Scale.Linear(0, Math.max(endSeconds(run), endSeconds(like)));
  }

  private Scale steps() {
    return new Scale.Linear(-0.6, Math.max(run.steps().size(), like.steps().size()) - 0.4);
  }

  static List<String> stepNames(RunDocument run) {
    return run.steps().stream()
        .map(s -> Scale.text(s.perSecondDue()) + (s.inferred() ? "*" : ""))
        .toList();
  }

  static List<Plot.Point> perStep(RunDocument run, String name, ToDoubleFunction<Latency> value) {
    List<Plot.Point> points = new ArrayList<>();
    for (int i = 0; i < run.steps().size(); i++) {
      StepFigures step = run.steps().get(i);
      Latency latency = step.figures().fromDue();
      double millis = latency == null ? Double.NaN : value.applyAsDouble(latency);
      points.add(
          new Plot.Point(
              i, millis, "Step %d: %s %s ms".formatted(step.number(), name, Scale.text(millis))));
    }
    return points;
  }

  private static double highestDue(RunDocument run) {
    return run.steps().stream().mapToDouble(StepFigures::perSecondDue).max().orElse(1);
  }

  static double lowestRate(RunDocument run) {
    return run.steps().stream().mapToDouble(StepFigures::perSecondDue).min().orElse(1);
  }

  static double highestRate(RunDocument run) {
    return Math.max(
        highestDue(run), run.rates().stream().mapToDouble(RatePoint::achieved).max().orElse(0));
  }

  private static double highestLatency(RunDocument run) {
    return Latency.orZero(run.totals().fromDue()).max();
  }

  private static double lowestLatency(RunDocument run) {
    return run.steps().stream()
        .map(s -> s.figures().fromDue())
        .filter(Objects::nonNull)
        .mapToDouble(Latency::p50)
        .min()
        .orElse(1);
  }

  private static int longestQueue(RunDocument run) {
    return run.pool().stream().mapToInt(PoolPoint::queueLength).max().orElse(0);
  }

  private static int deepestPool(RunDocument run) {
    return run.pool().stream().mapToInt(PoolPoint::depth).max().orElse(0);
  }

  private static int queueLimit(@Nullable PoolStatus service) {
    PoolStatus.Queue queue = service == null ? null : service.queue();
    return queue == null ? 0 : queue.limit();
  }

  static double endSeconds(RunDocument run) {
    double steps =
        run.steps().stream()
            .mapToDouble(s -> s.startSeconds() + s.durationSeconds())
            .max()
            .orElse(1);
    return run.interrupted() ? run.durationSeconds() : Math.max(run.durationSeconds(), steps);
  }
}
