package org.keywell.bench.suite;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A run in Markdown, for terminals and documents. */
public final class SuiteTable {
  private static final int FINE_BELOW = 10;
  private static final int COARSE_FROM = 100;

  private SuiteTable() {}

  /** Returns ratios with their spread, and the other figures. */
  public static String of(SuiteDocument run) {
    StringBuilder text = new StringBuilder();
    if (run.busy()) {
      text.append(
          String.format(
              Locale.ROOT,
              "**Not to be published:** the machine had other work; its load average was %.2f when"
                  + " the run began.%n%n",
              run.loadAverage()));
    }
    appendTable(text, List.of("", "Compared", "Median", "Rounds", "Target", "Stretch"), held(run));
    appendTable(text, List.of("", "Measured", "", "Unit"), told(run));
    run.parts().stream()
        .flatMap(part -> Steps.of(part.readings()).stream())
        .forEach(steps -> appendTable(text, heads(steps), lines(steps)));
    run.parts().stream()
        .filter(part -> part.failure() != null)
        .forEach(part ->
            text.append(part.part())
                .append(" was not measured: ")
                .append(part.failure())
                .append(System.lineSeparator()));
    return text.toString();
  }

  private static List<List<String>> held(SuiteDocument run) {
    List<List<String>> lines = new ArrayList<>();
    for (MeasuredPart part : run.parts()) {
      part.ratios().forEach(ratio -> lines.add(line(part, ratio)));
      part.readings().stream()
          .filter(reading -> reading.goal().target() != null)
          .forEach(reading -> lines.add(line(part, reading)));
    }
    return lines;
  }

  private static List<String> line(MeasuredPart part, Ratio ratio) {
    return List.of(
        part.part(),
        ratio.label(),
        number(ratio.median()) + missed(ratio.goal(), ratio.median()),
        number(ratio.least()) + " to " + number(ratio.most()),
        number(ratio.goal().target()),
        number(ratio.goal().stretch()));
  }

  private static List<String> line(MeasuredPart part, Reading reading) {
    return List.of(
        part.part(),
        reading.label(),
        number(reading.value()) + " " + reading.unit() + missed(reading.goal(), reading.value()),
        "",
        number(reading.goal().target()),
        number(reading.goal().stretch()));
  }

  private static String missed(Goal goal, double value) {
    return goal.isMetBy(value) ? "" : " (missed)";
  }

  private static List<List<String>> told(SuiteDocument run) {
    List<List<String>> lines = new ArrayList<>();
    for (MeasuredPart part : run.parts()) {
      part.readings().stream()
          .filter(reading -> reading.goal().target() == null && !Steps.has(reading))
          .forEach(reading ->
              lines.add(
                  List.of(part.part(), reading.label(), number(reading.value()), reading.unit())));
    }
    return lines;
  }

  private static List<String> heads(Steps steps) {
    List<String> heads = new ArrayList<>(List.of(steps.title()));
    heads.addAll(steps.series());
    return heads;
  }

  private static List<List<String>> lines(Steps steps) {
    List<List<String>> lines = new ArrayList<>();
    for (String step : steps.steps()) {
      List<String> line = new ArrayList<>(List.of(step));
      steps.series().forEach(series -> line.add(number(steps.value(series, step).orElse(null))));
      lines.add(line);
    }
    return lines;
  }

  /** Keeps only meaningful digits. */
  private static String number(@Nullable Double value) {
    if (value == null) {
      return "";
    }
    double size = Math.abs(value);
    int digits = size < FINE_BELOW ? 2 : size < COARSE_FROM ? 1 : 0;
    return String.format(Locale.ROOT, "%,." + digits + "f", value);
  }

  /** Pads cells, so that the text is readable as it is. Appends nothing if there are no lines. */
  private static void appendTable(
      StringBuilder text, List<String> heads, List<List<String>> lines) {
    if (lines.isEmpty()) {
      return;
    }
    int[] widths = new int[heads.size()];
    for (int i = 0; i < widths.length; i++) {
      int column = i;
      widths[i] =
          Math.max(
              heads.get(i).length(),
              lines.stream().mapToInt(line -> line.get(column).length()).max().orElse(0));
    }
    appendLine(text, heads, widths);
    text.append('|');
    for (int width : widths) {
      text.append("-".repeat(width + 2)).append('|');
    }
    text.append(System.lineSeparator());
    lines.forEach(line -> appendLine(text, line, widths));
    text.append(System.lineSeparator());
  }

  private static void appendLine(StringBuilder text, List<String> cells, int[] widths) {
    List<String> padded = new ArrayList<>();
    for (int i = 0; i < widths.length; i++) {
      String cell = cells.get(i).replace("|", "\\|");
      padded.add(cell + " ".repeat(Math.max(0, widths[i] - cell.length())));
    }
    text.append(padded.stream().collect(Collectors.joining(" | ", "| ", " |")))
        .append(System.lineSeparator());
  }
}
