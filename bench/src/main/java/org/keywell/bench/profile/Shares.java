package org.keywell.bench.profile;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * What each area has of a profile. A stack belongs to the innermost of its frames that the table
 * names: what the JDK or a library does, it does for its caller.
 *
 * @param weights of each area, in samples or bytes
 * @param hsmFor of the HSM's weight, what each area asked for
 */
public record Shares(Map<Area, Long> weights, Map<Area, Long> hsmFor) {
  /** Of a profile without samples. */
  static final Shares NONE = new Shares(Map.of(), Map.of());

  private static final String BETWEEN_FRAMES = ";";

  public Shares {
    weights = Map.copyOf(weights);
    hsmFor = Map.copyOf(hsmFor);
  }

  /**
   * Of stacks as async-profiler writes them: a line each, frames from the thread inwards, and the
   * weight.
   *
   * @throws IllegalArgumentException if a line is none
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

  /** Of two profiles together. */
  public Shares plus(Shares other) {
    return new Shares(sum(weights, other.weights), sum(hsmFor, other.hsmFor));
  }

  private static Map<Area, Long> sum(Map<Area, Long> some, Map<Area, Long> others) {
    Map<Area, Long> sum = new EnumMap<>(Area.class);
    sum.putAll(some);
    others.forEach((area, weight) -> sum.merge(area, weight, Long::sum));
    return sum;
  }

  /** All weights together. */
  public long total() {
    return weights.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The area's part of all, 0 to 1. */
  public double share(Area area) {
    return part(weights, area);
  }

  /** The part of all that the HSM did for this area, 0 to 1. */
  public double hsmShareFor(Area area) {
    return part(hsmFor, area);
  }

  private double part(Map<Area, Long> of, Area area) {
    long total = total();
    return total == 0 ? 0 : (double) of.getOrDefault(area, 0L) / total;
  }
}
