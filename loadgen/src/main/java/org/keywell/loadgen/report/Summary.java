package org.keywell.loadgen.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.keywell.loadgen.overload.BaseRate;
import org.keywell.loadgen.overload.Prediction;
import org.keywell.loadgen.plan.Plan;
import org.keywell.loadgen.plan.PlanSettings;
import org.keywell.loadgen.text.TextTemplate;

/** What something came to, in some lines for a terminal. */
public final class Summary {
  private static final int COLUMNS = 108;
  private static final int INPUT_COLUMNS = 3;

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

  /** What was found of the base rate. */
  public static String baseRate(BaseRate base) {
    return text("base-rate", base);
  }

  /** What is said before a test. */
  public static String prediction(
      int number, double perSecond, double seconds, Prediction predicted) {
    return text(
        "prediction",
        Map.of(
            "number", number, "perSecond", perSecond, "seconds", seconds, "predicted", predicted));
  }

  /** The plan that the settings made. */
  public static String of(Plan plan, PlanSettings settings) {
    Map<String, Object> figures =
        Map.of(
            "plan",
            plan,
            "inputRows",
            inputRows(settings),
            "isThesisCase",
            !plan.thesisCase().isEmpty(),
            "thesisCase",
            plan.thesisCase());
    return text("plan", figures)
        .lines()
        .map(line -> wrapped(line.stripTrailing()))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  /** The settings in columns, one below the other in each. */
  private static List<List<String>> inputRows(PlanSettings settings) {
    List<String> cells =
        SettingLine.of(settings).stream()
            .map(
                line -> "%-17s %s%s".formatted(line.name(), line.value(), line.given() ? "" : " *"))
            .toList();
    int rows = Math.ceilDiv(cells.size(), INPUT_COLUMNS);
    return IntStream.range(0, rows)
        .mapToObj(row ->
            IntStream.range(0, cells.size())
                .filter(i -> i % rows == row)
                .mapToObj(cells::get)
                .toList())
        .toList();
  }

  /** A long line in several, of which all but the first are indented. */
  private static String wrapped(String line) {
    List<String> lines = new ArrayList<>();
    String rest = line;
    while (rest.length() > COLUMNS) {
      int end = rest.lastIndexOf(' ', COLUMNS);
      lines.add(rest.substring(0, end));
      rest = "    " + rest.substring(end + 1);
    }
    lines.add(rest);
    return String.join("\n", lines);
  }
}
