package org.keywell.loadgen.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.plot.Markup;
import org.keywell.loadgen.plot.Scale;

/** The page on one ramp against the traditional system and against the key pool. */
final class SystemsPage {
  private static final int WIDTH = 1100;
  private static final String ON_THE_FLY = "key made on the fly";
  private static final String POOLED = "key pool";

  private SystemsPage() {}

  static String of(ComparisonDocument both) {
    RunDocument onTheFly = both.onTheFly();
    RunDocument pooled = both.pooled();
    SystemsPlots plots = new SystemsPlots(onTheFly, pooled, WIDTH);
    String title = "Keywell load: the traditional system and the key pool";
    return Page.of(
        title,
        heading(both, title)
            + RunWords.requirements(both.requirements())
            + overlays(plots)
            + "<section><h2>In total</h2>"
            + ComparisonPage.totals(ON_THE_FLY, onTheFly, POOLED, pooled)
            + "</section>"
            + steps(onTheFly, pooled)
            + "<div class=\"pair\">"
            + ComparisonPage.column("onthefly", "Key made on the fly", "", onTheFly, pooled)
            + ComparisonPage.column("pooled", "Key pool", "", pooled, onTheFly)
            + "</div>");
  }

  private static String heading(ComparisonDocument both, String title) {
    RunDocument pooled = both.pooled();
    return """
    <h1>%s</h1><p class="soft">%s; the same requests twice, each time against a service that had \
    just been started</p>
    %s<p class="verdict">%s</p>
    <p>%s</p>
    %s\
    """
        .formatted(
            Markup.escape(title),
            Markup.escape(pooled.schedule()),
            notices(both),
            Markup.escape(SystemsWords.verdict(both)),
            Markup.escape(SystemsWords.factor(both)),
            tiles(both));
  }

  /** What holds for both runs is said once, and otherwise for which of them it does. */
  private static String notices(ComparisonDocument both) {
    StringBuilder html = new StringBuilder();
    wrongs(html, "Key made on the fly: ", both.onTheFly());
    wrongs(html, "Key pool: ", both.pooled());
    List<String> slow = RunWords.doubts(both.onTheFly());
    List<String> fast = RunWords.doubts(both.pooled());
    slow.stream().filter(fast::contains).forEach(doubt -> RunWords.notice(html, doubt));
    slow.stream()
        .filter(doubt -> !fast.contains(doubt))
        .forEach(doubt -> RunWords.notice(html, "Key made on the fly: " + doubt));
    fast.stream()
        .filter(doubt -> !slow.contains(doubt))
        .forEach(doubt -> RunWords.notice(html, "Key pool: " + doubt));
    return html.toString();
  }

  private static void wrongs(StringBuilder html, String which, RunDocument run) {
    for (String wrong : RunWords.wrongs(run.verification())) {
      html.append("<p class=\"notice wrong\">")
          .append(Markup.escape(which + wrong))
          .append("</p>\n");
    }
  }

  private static String tiles(ComparisonDocument both) {
    Figures slow = both.onTheFly().totals();
    Figures fast = both.pooled().totals();
    return "<div class=\"tiles\">"
        + tile(RunWords.count(slow.dropped()), RunWords.count(fast.dropped()), "dropped")
        + tile(
            RunWords.percent(slow.share300()),
            RunWords.percent(fast.share300()),
            "of all within 300 ms")
        + tile(
            RunWords.percent(slow.share3000()),
            RunWords.percent(fast.share3000()),
            "of all within 3,000 ms")
        + "<div class=\"tile\"><b>%s</b><span>throughput at the peak; the thesis: × 37</span></div>"
            .formatted(
                both.incomparable().isEmpty()
                    ? String.format(Locale.ROOT, "× %.1f", both.throughputFactor())
                    : "–")
        + "</div>\n";
  }

  private static String tile(String slow, String fast, String words) {
    return "<div class=\"tile\"><b>%s → %s</b><span>%s; on the fly → key pool</span></div>"
        .formatted(Markup.escape(slow), Markup.escape(fast), Markup.escape(words));
  }

  private static String overlays(SystemsPlots plots) {
    return Page.figure(
            "Latency in each step",
            "Of the requests that were signed, from when they were due, on a logarithmic scale. The"
                + " limits are 300 ms in normal hours and 3,000 ms at the peak.",
            Page.legend(
                false,
                "c",
                "on the fly, p99",
                "c thin",
                "on the fly, median",
                "a",
                "key pool, p99",
                "a thin",
                "key pool, median"),
            plots.latencies(),
            "")
        + Page.figure(
            "Rate due and rate achieved",
            "On a logarithmic scale.",
            Page.legend(
                false,
                "due",
                "requests due per second",
                "a",
                "signed, key pool",
                "c",
                "signed, on the fly"),
            plots.rates(),
            "")
        + Page.figure(
            "Requests dropped",
            "Parts of the requests that were due in each step.",
            Page.legend(true, "bar-c", "on the fly", "bar-a", "key pool"),
            plots.dropped(),
            "");
  }

  private static String steps(RunDocument onTheFly, RunDocument pooled) {
    Table table =
        new Table(
            "",
            List.of(
                "step",
                "due /s",
                "fly: signed /s",
                "dropped",
                "p50 ms",
                "p90 ms",
                "p99 ms",
                "max ms",
                "≤ 3,000 ms",
                "pool: signed /s",
                "dropped",
                "p50 ms",
                "p90 ms",
                "p99 ms",
                "max ms",
                "≤ 3,000 ms"));
    int steps = Math.max(onTheFly.steps().size(), pooled.steps().size());
    for (int i = 0; i < steps; i++) {
      StepFigures slow = i < onTheFly.steps().size() ? onTheFly.steps().get(i) : null;
      StepFigures fast = i < pooled.steps().size() ? pooled.steps().get(i) : null;
      StepFigures any = slow != null ? slow : pooled.steps().get(i);
      List<String> row = new ArrayList<>();
      row.add(any.number() + (any.inferred() ? "*" : ""));
      row.add(Scale.text(any.perSecondDue()));
      row.addAll(cells(slow));
      row.addAll(cells(fast));
      table.row(row);
    }
    return "<section><h2>Each step</h2><p class=\"sub\">fly: a key made on the fly; pool: the key"
        + " pool. Latencies run from when requests were due; shares are of all requests that were"
        + " due.</p>"
        + table.html()
        + RunPage.inferredNote(pooled)
        + "</section>";
  }

  private static List<String> cells(@Nullable StepFigures step) {
    if (step == null) {
      return List.of("–", "–", "–", "–", "–", "–", "–");
    }
    List<String> cells = new ArrayList<>();
    cells.add(Scale.text(step.perSecondAchieved()));
    cells.add(RunWords.count(step.figures().dropped()));
    cells.addAll(RunWords.latencyCells(step.figures().fromDue()));
    cells.add(RunWords.percent(step.figures().share3000()));
    return cells;
  }
}
