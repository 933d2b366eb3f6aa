package org.keywell.bench.suite;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The ratio of two figures, in rounds that measured both.
 *
 * @param label such as {@code binding / C, 2 threads}
 * @param rounds the ratio of each round, in the order measured; at least one
 */
public record Ratio(String label, List<Double> rounds, Goal goal) {

  public Ratio {
    rounds = List.copyOf(rounds);
    if (rounds.isEmpty()) {
      throw new IllegalArgumentException("no rounds of " + label);
    }
  }

  /**
   * Divides a figure of one system by that of another, round by round.
   *
   * @param runs one per round
   * @param others as many
   */
  public static <T> Ratio of(
      String label, List<T> runs, List<T> others, ToDoubleFunction<T> figure, Goal goal) {
    return new Ratio(
        label,
        IntStream.range(0, runs.size())
            .mapToObj(i -> figure.applyAsDouble(runs.get(i)) / figure.applyAsDouble(others.get(i)))
            .toList(),
        goal);
  }

  /** Returns the median; for an even number of rounds, the mean of the middle two. */
  @JsonProperty
  public double median() {
    double[] sorted = sorted();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  @JsonProperty
  public double least() {
    return sorted()[0];
  }

  @JsonProperty
  public double most() {
    double[] sorted = sorted();
    return sorted[sorted.length - 1];
  }

  @JsonProperty("met")
  public boolean isMet() {
    return goal.isMetBy(median());
  }

  private double[] sorted() {
    double[] sorted = rounds.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(sorted);
    return sorted;
  }
}
