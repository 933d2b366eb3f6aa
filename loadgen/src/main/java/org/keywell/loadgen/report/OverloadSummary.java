package org.keywell.loadgen.report;

import java.util.Locale;
import org.keywell.loadgen.overload.BaseRate;
import org.keywell.loadgen.overload.OverloadTest;
import org.keywell.loadgen.overload.Prediction;
import org.keywell.loadgen.overload.ThesisTest;

/** What an overload came to, beside the thesis's Table 4-2, for a terminal. */
public final class OverloadSummary {

  private OverloadSummary() {}

  public static String of(OverloadDocument overload) {
    StringBuilder text = new StringBuilder();
    if (overload.simulatedProfile() != null) {
      text.append("times     SIMULATED: ").append(overload.simulatedProfile()).append('\n');
    }
    text.append(baseRate(overload.baseRate())).append('\n');
    text.append(
        String.format(
            "%-9s %7s %8s %9s %9s %8s %9s %9s %8s  %s%n",
            "test",
            "CR /s",
            "T s",
            "Q calc.",
            "Q actual",
            "acc. %",
            "L calc. s",
            "actual s",
            "acc. %",
            "signed"));
    overload.tests().forEach(test -> text.append(line(test)));
    overload.thesis().forEach(test -> text.append(line(test)));
    text.append(RequirementResult.lines(overload.requirements()));
    return text.toString();
  }

  /** What was found of the base rate. */
  public static String baseRate(BaseRate base) {
    return String.format(
        Locale.ROOT,
        "base rate BR %.2f requests/s, Si %.2f ms, of %,d answers in %.1f s (the thesis: 26.3,"
            + " 38)",
        base.perSecond(),
        base.signingMillis(),
        base.answers(),
        base.seconds());
  }

  /** What is said before a test. */
  public static String prediction(int number, double perSecond, double seconds, Prediction p) {
    return String.format(
        Locale.ROOT,
        "Test %d: CR %.1f requests/s for T %.1f s. Calculated: Q %,.1f, L %.3f s",
        number,
        perSecond,
        seconds,
        p.queue(),
        p.latencySeconds());
  }

  private static String line(OverloadTest test) {
    Double latency = test.actualLatencySeconds();
    Double accuracy = test.latencyAccuracy();
    return String.format(
        Locale.ROOT,
        "%-9s %7.1f %8.3f %9.1f %9d %8.2f %9.3f %9s %8s  %,d of %,d%n",
        "test " + test.number(),
        test.perSecond(),
        test.seconds(),
        test.predicted().queue(),
        test.actualQueue(),
        test.queueAccuracy(),
        test.predicted().latencySeconds(),
        latency == null ? "-" : String.format(Locale.ROOT, "%.3f", latency),
        accuracy == null ? "-" : String.format(Locale.ROOT, "%.2f", accuracy),
        test.signed(),
        test.requests());
  }

  private static String line(ThesisTest test) {
    return String.format(
        Locale.ROOT,
        "%-9s %7.1f %8.3f %9.1f %9.0f %8s %9.3f %9.3f %8.2f%n",
        "thesis " + test.number(),
        test.perSecond(),
        test.seconds(),
        test.calculatedQueue(),
        test.actualQueue(),
        "-",
        test.calculatedLatencySeconds(),
        test.actualLatencySeconds(),
        test.latencyAccuracy());
  }
}
