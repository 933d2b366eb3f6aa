package org.keywell.bench.suite;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;
import java.util.List;

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
