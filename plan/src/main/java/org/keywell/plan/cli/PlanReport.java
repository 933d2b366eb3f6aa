package org.keywell.plan.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.keywell.loadgen.text.TextTemplate;
import org.keywell.plan.Plan;
import org.keywell.plan.PlanSettings;

/** A plan's report for a terminal; the template defines its form. */
final class PlanReport {
  private static final String TEMPLATE = "/org/keywell/plan/plan.txt";
  private static final int COLUMNS = 108;
  private static final int INPUT_COLUMNS = 3;

  private PlanReport() {}

  /** Returns the report as lines for a terminal. */
  static String text(Plan plan, PlanSettings settings) {
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
    return TextTemplate.resource(TEMPLATE)
        .with(figures)
        .lines()
        .map(line -> wrapped(line.stripTrailing()))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  /** Returns the settings in columns, one below the other in each. */
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

  /** Wraps a long line; all lines but the first are indented. */
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
