package org.keywell.loadgen.report;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a run came to, in some lines for a terminal. */
public final class RunSummary {

  private RunSummary() {}

  public static String of(RunDocument run) {
    Figures totals = run.totals();
    StringBuilder text = new StringBuilder();
    if (run.simulatedProfile() != null) {
      line(text, "times", "SIMULATED: " + run.simulatedProfile());
    }
    if (run.testId() != null) {
      line(text, "test id", "%s", run.testId());
    }
    if (run.interrupted()) {
      line(
          text, "interrupted", "%,d of %,d requests were due", totals.due(), run.requestsPlanned());
    }
    line(text, "signed", "%,d of %,d", totals.signed(), totals.due());
    line(
        text,
        "dropped",
        "%,d: %,d refused, %,d failed, %,d timeouts, %,d connection errors, %,d not sent,"
            + " %,d abandoned",
        totals.dropped(),
        totals.refused(),
        totals.failed(),
        totals.timeouts(),
        totals.connectionErrors(),
        totals.unsent(),
        totals.abandoned());
    for (Map.Entry<String, Integer> problem : totals.problems().entrySet()) {
      line(text, "", "%,d × %s", problem.getValue(), problem.getKey());
    }
    latency(text, "from due", totals.fromDue());
    latency(text, "from send", totals.fromSend());
    latency(text, "sent late by", run.driver().sendLateness());
    line(
        text,
        "within limits",
        "300 ms: %s, 3,000 ms: %s",
        RunWords.percent(totals.share300()),
        RunWords.percent(totals.share3000()));
    line(
        text,
        "keys",
        "%,d made ahead of time, %,d distinct",
        totals.preGenerated(),
        run.verification().distinctKeys());
    line(text, "verified", "%s", RunWords.checked(run.verification()));
    for (String wrong : RunWords.wrongs(run.verification())) {
      line(text, "WRONG", "%s", wrong);
    }
    text.append(RequirementResult.lines(run.requirements()));
    return text.toString();
  }

  private static void latency(StringBuilder text, String name, @Nullable Latency l) {
    if (l == null) {
      line(text, name, "–");
      return;
    }
    line(
        text,
        name,
        "p50 %.1f ms, p90 %.1f, p99 %.1f, p99.9 %.1f, max %.1f, mean %.1f",
        l.p50(),
        l.p90(),
        l.p99(),
        l.p999(),
        l.max(),
        l.mean());
  }

  @SuppressWarnings("AnnotateFormatMethod") // the annotation would need a library at run time
  private static void line(StringBuilder text, String name, String format, Object... arguments) {
    text.append(String.format(Locale.ROOT, "%-15s ", name))
        .append(arguments.length == 0 ? format : String.format(Locale.ROOT, format, arguments))
        .append('\n');
  }
}
