package org.keywell.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An answer to Prometheus, in its text format. */
public final class Scrape {

  private static final Pattern TYPE = Pattern.compile("# TYPE (\\S+) (\\S+)");
  private static final Pattern SAMPLE = Pattern.compile("(\\w+)(?:\\{(.*)})? (\\S+)");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

  /** One value of a series. */
  public record Sample(String name, Map<String, String> labels, double value) {}

  private final NavigableMap<String, String> types = new TreeMap<>();
  private final List<Sample> samples = new ArrayList<>();

  private Scrape() {}

  /** Reads the text; fails at a line that is not of the format. */
  public static Scrape parse(String text) {
    Scrape scrape = new Scrape();
    text.lines().filter(line -> !line.startsWith("# HELP ")).forEach(scrape::add);
    return scrape;
  }

  private void add(String line) {
    Matcher type = TYPE.matcher(line);
    if (type.matches()) {
      types.put(type.group(1), type.group(2));
      return;
    }
    Matcher sample = SAMPLE.matcher(line);
    if (!sample.matches()) {
      throw new AssertionError("not a sample: " + line);
    }
    Map<String, String> labels = new TreeMap<>();
    Matcher label = LABEL.matcher(sample.group(2) == null ? "" : sample.group(2));
    while (label.find()) {
      labels.put(label.group(1), label.group(2));
    }
    String number = sample.group(3).replace("+Inf", "Infinity").replace("-Inf", "-Infinity");
    samples.add(new Sample(sample.group(1), labels, Double.parseDouble(number)));
  }

  /** Families and their types. */
  public NavigableMap<String, String> types() {
    return types;
  }

  public List<Sample> samples() {
    return samples;
  }

  /**
   * The sum over the series that have these labels.
   *
   * @param labels names and values in turn
   * @return empty if there is no such series
   */
  public OptionalDouble find(String name, String... labels) {
    double[] values =
        samples.stream()
            .filter(sample -> sample.name().equals(name) && has(sample, labels))
            .mapToDouble(Sample::value)
            .toArray();
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return values.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(sum);
  }

  /** As {@link #find}; fails if there is no such series. */
  public double value(String name, String... labels) {
    return find(name, labels).orElseThrow(() -> new AssertionError("no " + name + List.of(labels)));
  }

  private static boolean has(Sample sample, String... labels) {
    for (int i = 0; i < labels.length; i += 2) {
      if (!labels[i + 1].equals(sample.labels().get(labels[i]))) {
        return false;
      }
    }
    return true;
  }
}
