package org.keywell.loadgen.report;

import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** What a comparison came to, in some lines for a terminal. */
public final class ComparisonSummary {

  private ComparisonSummary() {}

  public static String of(ComparisonDocument both) {
    StringBuilder text = new StringBuilder();
    String profile = both.pooled().simulatedProfile();
    if (profile != null) {
      text.append("times           SIMULATED: ").append(profile).append('\n');
    }
    line(text, "", "on the fly", "key pool");
    row(text, both, "signed", r -> count(r.totals().signed()) + " of " + count(r.totals().due()));
    row(text, both, "dropped", r -> count(r.totals().dropped()));
    row(text, both, "within 300 ms", r -> RunWords.percent(r.totals().share300()));
    row(text, both, "within 3,000 ms", r -> RunWords.percent(r.totals().share3000()));
    row(text, both, "median", r -> latency(r.totals().fromDue(), Latency::p50));
    row(text, both, "p99", r -> latency(r.totals().fromDue(), Latency::p99));
    row(text, both, "at the peak", ComparisonSummary::peak);
    row(text, both, "work on one", SystemsWords::work);
    text.append(SystemsWords.factor(both)).append('\n');
    text.append(RequirementResult.lines(both.requirements()));
    return text.toString();
  }

  private static String peak(RunDocument run) {
    PeakFigures peak = run.peak();
    return peak == null ? "not reached" : String.format(Locale.ROOT, "%.2f /s", peak.perSecond());
  }

  private static void row(
      StringBuilder text,
      ComparisonDocument both,
      String name,
      Function<RunDocument, String> figure) {
    line(text, name, figure.apply(both.onTheFly()), figure.apply(both.pooled()));
  }

  private static void line(StringBuilder text, String name, String onTheFly, String pooled) {
    text.append(String.format(Locale.ROOT, "%-15s %18s %18s%n", name, onTheFly, pooled));
  }

  private static String count(int number) {
    return RunWords.count(number);
  }

  private static String latency(@Nullable Latency latency, ToDoubleFunction<Latency> figure) {
    return latency == null
        ? "–"
        : String.format(Locale.ROOT, "%,.1f ms", figure.applyAsDouble(latency));
  }
}
