package org.keywell.loadgen.report;

import java.util.List;
import java.util.Map;
import org.keywell.loadgen.overload.BaseRate;
import org.keywell.loadgen.overload.Prediction;
import org.keywell.loadgen.text.TextTemplate;

/** Summarises results in some lines for a terminal. */
public final class Summary {
  private Summary() {}

  private static String text(String template, Object figures) {
    return TextTemplate.resource("/org/keywell/loadgen/report/" + template + ".txt").with(figures);
  }

  public static String of(RunDocument run) {
    record Problem(String problem, int times) {}
    List<Problem> problems =
        run.totals().problems().entrySet().stream()
            .map(each -> new Problem(each.getKey(), each.getValue()))
            .toList();
    boolean keyUsedTwice = run.verification().distinctKeys() < run.verification().signed();
    return text("run", Map.of("run", run, "problemCounts", problems, "keyUsedTwice", keyUsedTwice));
  }

  public static String of(ComparisonDocument both) {
    return text("comparison", both);
  }

  public static String of(OverloadDocument overload) {
    return text("overload", overload);
  }

  /** Summarises the base rate. */
  public static String baseRate(BaseRate base) {
    return text("base-rate", base);
  }

  /** Returns the text before a test. */
  public static String prediction(
      int number, double perSecond, double seconds, Prediction predicted) {
    return text(
        "prediction",
        Map.of(
            "number", number, "perSecond", perSecond, "seconds", seconds, "predicted", predicted));
  }
}
