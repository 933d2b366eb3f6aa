package org.keywell.bench.suite;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.report.Plot;
import org.keywell.loadgen.report.Plot.Line;
import org.keywell.loadgen.report.Table;

/**
 * Figures measured in steps, such as processor time by area: readings with labels of the form
 * {@code what, series: step}, or {@code what: step} if there is one series. They are drawn with a
 * line for each step and a column for each series.
 */
final class Steps {
  private static final Pattern LABEL = Pattern.compile("([^:,]+)(?:, ([^:]+))?: (.+)");
  private static final String ALL = " in all";
  private static final List<String> COLOURS = List.of("blue", "orange", "green", "purple");

  private final String what;
  private final String unit;
  private final List<String> series = new ArrayList<>();
  private final Map<String, Map<String, Double>> bySteps = new LinkedHashMap<>();

  private Steps(String what, String unit) {
    this.what = what;
    this.unit = unit;
  }

  /** Returns those of a part, in the order in which they were measured. */
  static List<Steps> of(List<Reading> readings) {
    Map<String, Steps> all = new LinkedHashMap<>();
    for (Reading reading : readings) {
      label(reading)
          .ifPresent(label ->
              all.computeIfAbsent(label.group(1), what -> new Steps(what, reading.unit()))
                  .add(label, reading.value()));
    }
    return List.copyOf(all.values());
  }

  /** Whether a reading is one of several steps. */
  static boolean has(Reading reading) {
    return label(reading).isPresent();
  }

  private static Optional<Matcher> label(Reading reading) {
    return Optional.of(LABEL.matcher(reading.label())).filter(Matcher::matches);
  }

  private void add(Matcher label, double value) {
    String name = label.group(2) == null ? "" : label.group(2);
    if (!series.contains(name)) {
      series.add(name);
    }
    bySteps.computeIfAbsent(label.group(3), _ -> new HashMap<>()).put(name, value);
  }

  /** Returns a line for each step; drawn above it are those whose values can be compared. */
  Table table() {
    String title = what + ", " + unit;
    List<String> heads = new ArrayList<>(List.of(title));
    heads.addAll(series);
    List<List<String>> lines = new ArrayList<>();
    bySteps.forEach((step, values) -> {
      List<String> line = new ArrayList<>(List.of(step));
      series.forEach(name -> line.add(Numbers.text(values.get(name))));
      lines.add(line);
    });
    return new Table(title, heads, lines, plot(title));
  }

  private @Nullable Plot plot(String title) {
    List<String> single = bySteps.keySet().stream().filter(step -> !step.endsWith(ALL)).toList();
    if (single.size() <= 2) {
      return null;
    }
    List<Line> lines = new ArrayList<>();
    for (String name : series) {
      List<@Nullable Double> points = new ArrayList<>();
      single.forEach(step -> points.add(bySteps.getOrDefault(step, Map.of()).get(name)));
      lines.add(
          new Line(
              name.isEmpty() ? title : what + ", " + name,
              COLOURS.get(lines.size() % COLOURS.size()),
              List.of(),
              points));
    }
    return new Plot(unit, single, lines, Plot.Form.BARS);
  }
}
