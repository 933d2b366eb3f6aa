package org.keywell.bench.suite;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Figures measured in steps, such as processor time by area: readings with labels of the form
 * {@code what, series: step}, or {@code what: step} if there is one series. They are drawn with a
 * line for each step and a column for each series.
 */
final class Steps {
  private static final Pattern LABEL = Pattern.compile("([^:,]+)(?:, ([^:]+))?: (.+)");

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

  /** Returns what was measured, with its unit. */
  String title() {
    return what + ", " + unit;
  }

  /** Returns the names of the series; a single one may have an empty name. */
  List<String> series() {
    return List.copyOf(series);
  }

  List<String> steps() {
    return List.copyOf(bySteps.keySet());
  }

  /** Returns the value, or empty if this series was not measured at this step. */
  Optional<Double> value(String ofSeries, String step) {
    return Optional.ofNullable(bySteps.getOrDefault(step, Map.of()).get(ofSeries));
  }
}
