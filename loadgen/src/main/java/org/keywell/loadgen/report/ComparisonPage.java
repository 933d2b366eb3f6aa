package org.keywell.loadgen.report;

import java.util.List;
import java.util.function.Function;
import org.keywell.loadgen.plot.Markup;
import org.keywell.loadgen.plot.Scale;

/** The page that lays two runs side by side, on the same scales. */
public final class ComparisonPage {
  private static final int WIDTH = 560;

  /** A run and what people call it. */
  public record Named(String name, RunDocument run) {}

  private record Row(String name, Function<RunDocument, String> cell) {}

  private static final List<Row> ROWS =
      List.of(
          new Row("schedule", r -> r.schedule() + ", times × " + Scale.text(r.timeScale())),
          new Row("mode", r -> r.service() == null ? "unknown" : r.service().mode()),
          new Row(
              "times",
              r -> r.simulatedProfile() == null ? "real" : "simulated: " + r.simulatedProfile()),
          new Row("complete", r -> r.interrupted() ? "no: interrupted" : "yes"),
          new Row("due", r -> RunWords.count(r.totals().due())),
          new Row("signed", r -> RunWords.count(r.totals().signed())),
          new Row("dropped", r -> RunWords.count(r.totals().dropped())),
          new Row("refused (503)", r -> RunWords.count(r.totals().refused())),
          new Row("failed", r -> RunWords.count(r.totals().failed())),
          new Row("timeouts", r -> RunWords.count(r.totals().timeouts())),
          new Row("connection errors", r -> RunWords.count(r.totals().connectionErrors())),
          new Row("within 300 ms", r -> RunWords.percent(r.totals().share300())),
          new Row("within 3,000 ms", r -> RunWords.percent(r.totals().share3000())),
          new Row("median", r -> latency(r, Latency::p50)),
          new Row("p90", r -> latency(r, Latency::p90)),
          new Row("p99", r -> latency(r, Latency::p99)),
          new Row("p99.9", r -> latency(r, Latency::p999)),
          new Row("maximum", r -> latency(r, Latency::max)),
          new Row("signed per second at the peak", ComparisonPage::peak),
          new Row("keys made ahead of time", r -> RunWords.count(r.totals().preGenerated())),
          new Row("distinct public keys", r -> RunWords.count(r.verification().distinctKeys())),
          new Row("driver's lateness, p99", ComparisonPage::lateness));

  private ComparisonPage() {}

  /** The page. */
  public static String of(Named a, Named b) {
    return Page.of(
        "Keywell load: two runs",
        "<h1>Keywell load: two runs side by side</h1>"
            + "<p class=\"soft\">Both columns have the same scales. Latencies run from when requests"
            + " were due.</p><section>"
            + totals("A: " + a.name(), a.run(), "B: " + b.name(), b.run())
            + "</section><div class=\"pair\">"
            + column("A", "A: " + a.name(), a.run(), b.run())
            + column("B", "B: " + b.name(), b.run(), a.run())
            + "</div>");
  }

  /** The figures of the whole runs, in two columns with these names. */
  static String totals(String nameOfA, RunDocument a, String nameOfB, RunDocument b) {
    Table table = new Table("", List.of("", nameOfA, nameOfB));
    for (Row row : ROWS) {
      table.row(List.of(row.name(), row.cell().apply(a), row.cell().apply(b)));
    }
    return table.html();
  }

  /**
   * All plots of one run, on the same scales as the other's.
   *
   * @param id unique in the page
   */
  static String column(String id, String heading, RunDocument run, RunDocument other) {
    RunPlots plots = new RunPlots(run, id, WIDTH, other);
    RunPlots wide = new RunPlots(run, id, 2 * WIDTH + 20, other);
    return "<div><h2>%s</h2>".formatted(Markup.escape(heading))
        + RunWords.notices(run)
        + Page.figure(
            "Rate",
            "per second",
            Page.legend(false, "due", "due", "a", "signed"),
            plots.rates(),
            "")
        + Page.figure(
            "Latency",
            "in each step",
            Page.legend(false, "a", "median", "b", "p90", "c", "p99", "d", "maximum"),
            plots.latencies(),
            "")
        + Page.figure(
            "Sign queue", "over time", Page.legend(false, "a", "waiting"), wide.queue(), "")
        + Page.figure(
            "Key pool",
            "over time",
            Page.legend(false, "b", "stored and loaded", "a", "loaded"),
            wide.pool(),
            "")
        + Page.figure(
            "How requests ended",
            "in each step",
            Page.legend(
                true,
                "signed",
                "signed",
                "refused",
                "refused",
                "failed",
                "failed",
                "timeout",
                "timed out",
                "unsent",
                "not sent"),
            plots.outcomes(),
            "")
        + Page.folded("Each step", RunTables.steps(run))
        + Page.folded("Environment", RunWords.environment(run))
        + "</div>";
  }

  private static String latency(RunDocument run, Function<Latency, Double> value) {
    Latency latency = run.totals().fromDue();
    return latency == null ? "–" : RunWords.millis(value.apply(latency));
  }

  private static String peak(RunDocument run) {
    return run.peak() == null ? "–" : Scale.text(run.peak().perSecond());
  }

  private static String lateness(RunDocument run) {
    Latency late = run.driver().sendLateness();
    return late == null ? "–" : RunWords.millis(late.p99());
  }
}
