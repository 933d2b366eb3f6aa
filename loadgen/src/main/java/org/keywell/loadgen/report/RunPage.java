package org.keywell.loadgen.report;

import org.keywell.loadgen.plot.Markup;
import org.keywell.loadgen.plot.Scale;

/** The page on one run. */
final class RunPage {
  private static final int WIDTH = 1100;

  private RunPage() {}

  static String of(RunDocument run) {
    RunPlots plots = new RunPlots(run, "run", WIDTH, run);
    String title = "Keywell load: " + run.command();
    return Page.of(
        title,
        heading(run, title)
            + RunWords.requirements(run.requirements())
            + rates(run, plots)
            + latencies(run, plots)
            + stock(run, plots)
            + outcomes(run, plots)
            + "<section><h2>Each step</h2><p class=\"sub\">Latencies run from when requests were"
            + " due, except for p99 of send; conn. counts connection errors. Shares are of all"
            + " requests that were due.</p>"
            + RunTables.steps(run)
            + inferredNote(run)
            + "</section><section><h2>Where the time went</h2><p class=\"sub\">From when requests"
            + " were sent. accept: until the receipt is durable; queue; key: until there is a key;"
            + " sign; certify; destroy; finish: until the outcome is handed over; record: until it is"
            + " durable; unseen: what the service does not see, the latency less all of these: the"
            + " network, HTTP on both sides, and waiting for a processor there.</p>"
            + RunTables.stages(run)
            + "</section><section><h2>Environment</h2>"
            + RunWords.environment(run)
            + "</section>\n");
  }

  private static String heading(RunDocument run, String title) {
    return """
    <h1>%s</h1><p class="soft">%s; started %s, lasted %s s</p>
    %s<p class="verdict">%s</p>
    %s\
    """
        .formatted(
            Markup.escape(title),
            Markup.escape(run.schedule()),
            Markup.escape(run.startedAt()),
            Scale.text(run.durationSeconds()),
            RunWords.notices(run),
            Markup.escape(RunWords.verdict(run)),
            RunWords.tiles(run));
  }

  private static String rates(RunDocument run, RunPlots plots) {
    return Page.figure(
        "Rate due and rate achieved",
        "On a logarithmic scale. Where the blue line lies on the dashed one, the service keeps up.",
        Page.legend(false, "due", "requests due per second", "a", "signed answers per second"),
        plots.rates(),
        Page.folded("Figures as a table", RunTables.rates(run)));
  }

  private static String latencies(RunDocument run, RunPlots plots) {
    return Page.figure(
        "Latency in each step",
        "From when requests were due, on a logarithmic scale. The limits are 300 ms in normal hours"
            + " and 3,000 ms at the peak.",
        Page.legend(false, "a", "median", "b", "p90", "c", "p99", "d", "maximum"),
        plots.latencies(),
        run.totals().fromDue() == null
            ? ""
            : "<p class=\"sub\">The table below has the figures.</p>");
  }

  private static String stock(RunDocument run, RunPlots plots) {
    if (run.pool().isEmpty()) {
      return "<p class=\"notice\">The service told nothing of its queue and its pool.</p>";
    }
    return "<div class=\"pair\">"
        + Page.figure(
            "Sign queue",
            "Requests that wait, as the service told.",
            Page.legend(false, "a", "waiting"),
            plots.queue(),
            "")
        + Page.figure(
            "Key pool",
            "Keys that are left, as the service told.",
            Page.legend(false, "b", "stored and loaded", "a", "loaded into the HSM"),
            plots.pool(),
            "")
        + "</div>"
        + Page.folded("Queue and pool as a table", RunTables.pool(run));
  }

  private static String outcomes(RunDocument run, RunPlots plots) {
    return Page.figure(
        "How requests ended",
        "Parts of the requests that were due in each step.",
        Page.legend(
            true,
            "signed",
            "signed",
            "refused",
            "refused (503)",
            "failed",
            "failed or no connection",
            "timeout",
            "timed out or abandoned",
            "unsent",
            "not sent"),
        plots.outcomes(),
        RunTables.problems(run));
  }

  static String inferredNote(RunDocument run) {
    return run.steps().stream().anyMatch(StepFigures::inferred)
        ? "<p class=\"sub\">* not printed in the source; inferred from the climb.</p>"
        : "";
  }
}
