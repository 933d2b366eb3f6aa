package org.keywell.bench.profile;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Each area's share of a profile. A stack belongs to the innermost of its frames that the table
 * names: the JDK and libraries work for their callers.
 *
 * @param weights per area, in samples or bytes
 * @param hsmFor the HSM's weight by the area that called it
 */
public record Shares(Map<Area, Long> weights, Map<Area, Long> hsmFor) {
  /** The shares of a profile without samples. */
  static final Shares NONE = new Shares(Map.of(), Map.of());

  private static final String BETWEEN_FRAMES = ";";

  public Shares {
    weights = Map.copyOf(weights);
    hsmFor = Map.copyOf(hsmFor);
  }

  /**
   * Evaluates stacks in async-profiler's format: one per line, frames from the thread inwards, then
   * the weight.
   *
   * @throws IllegalArgumentException if a line has another format
   */
  public static Shares of(List<String> stacks, FrameTable table) {
    Map<Area, Long> weights = new EnumMap<>(Area.class);
    Map<Area, Long> hsmFor = new EnumMap<>(Area.class);
    for (String line : stacks) {
      int end = line.lastIndexOf(' ');
      if (end <= 0) {
        throw new IllegalArgumentException("no stack with a weight: " + line);
      }
      long weight = Long.parseLong(line.substring(end + 1));
      List<String> inwards = List.of(line.substring(0, end).split(BETWEEN_FRAMES, -1));
      Area area = innermost(inwards, table, _ -> true);
      weights.merge(area, weight, Long::sum);
      if (area == Area.HSM) {
        Area caller =
            innermost(inwards, table, other -> other != Area.HSM && other != Area.BINDING);
        hsmFor.merge(caller, weight, Long::sum);
      }
    }
    return new Shares(weights, hsmFor);
  }

  private static Area innermost(List<String> inwards, FrameTable table, Predicate<Area> wanted) {
    return inwards.reversed().stream()
        .filter(frame -> !frame.isEmpty())
        .flatMap(frame -> table.areaOf(frame).stream())
        .filter(wanted)
        .findFirst()
        .orElse(Area.OTHER);
  }

  /** Combines two profiles. */
  public Shares plus(Shares other) {
    return new Shares(sum(weights, other.weights), sum(hsmFor, other.hsmFor));
  }

  private static Map<Area, Long> sum(Map<Area, Long> some, Map<Area, Long> others) {
    Map<Area, Long> sum = new EnumMap<>(Area.class);
    sum.putAll(some);
    others.forEach((area, weight) -> sum.merge(area, weight, Long::sum));
    return sum;
  }

  /** Returns the sum of all weights. */
  public long total() {
    return weights.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns the area's share of the total, 0 to 1. */
  public double share(Area area) {
    return part(weights, area);
  }

  /** Returns the share of the total that the HSM spent for this area, 0 to 1. */
  public double hsmShareFor(Area area) {
    return part(hsmFor, area);
  }

  private double part(Map<Area, Long> of, Area area) {
    long total = total();
    return total == 0 ? 0 : (double) of.getOrDefault(area, 0L) / total;
  }
}
