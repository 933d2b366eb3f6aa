package org.keywell.plan;

import java.util.Arrays;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The rate of requests in each hour of a repeating week. Hour 0 starts on Monday at midnight; a
 * week has 168 hours, regardless of clock changes. Immutable.
 */
public final class Week {
  public static final int DAYS = 7;
  public static final int HOURS_PER_DAY = 24;
  public static final int HOURS = DAYS * HOURS_PER_DAY;

  /** The highest rate that an hour may have, per second. */
  public static final double MAX_RATE = 100_000;

  static final int SECONDS_PER_HOUR = 3_600;

  private final double[] ratesPerSecond = new double[HOURS];
  private final HourKind[] kinds = new HourKind[HOURS];

  private Week(IntToDoubleFunction rate, IntFunction<HourKind> kind) {
    for (int hour = 0; hour < HOURS; hour++) {
      ratesPerSecond[hour] = rate.applyAsDouble(hour);
      kinds[hour] = kind.apply(hour);
      if (!(ratesPerSecond[hour] >= 0 && ratesPerSecond[hour] <= MAX_RATE)) {
        throw new IllegalArgumentException("no rate: " + ratesPerSecond[hour]);
      }
    }
  }

  /**
   * Returns a week of the given kinds of hours, all hours of a kind with the same rate.
   *
   * @param kind of each hour of the week
   * @param ratePerSecond of each kind, 0 to {@link #MAX_RATE}
   */
  public static Week ofKinds(IntFunction<HourKind> kind, ToDoubleFunction<HourKind> ratePerSecond) {
    return new Week(hour -> ratePerSecond.applyAsDouble(kind.apply(hour)), kind);
  }

  /**
   * Returns a week defined only by its rates. Peak hours are those with more than half of the
   * highest rate, business hours those with more than a quarter.
   *
   * @param ratesPerSecond 168 rates, 0 to {@link #MAX_RATE}, not all 0
   */
  public static Week ofRates(double[] ratesPerSecond) {
    double highest = Arrays.stream(ratesPerSecond).max().orElse(0);
    if (ratesPerSecond.length != HOURS || !(highest > 0)) {
      throw new IllegalArgumentException("a week has 168 rates, not all 0");
    }
    return new Week(
        hour -> ratesPerSecond[hour],
        hour ->
            ratesPerSecond[hour] > highest / 2
                ? HourKind.PEAK
                : ratesPerSecond[hour] > highest / 4 ? HourKind.BUSINESS : HourKind.OTHER);
  }

  public double ratePerSecond(int hour) {
    return ratesPerSecond[hour];
  }

  public HourKind kind(int hour) {
    return kinds[hour];
  }

  public double meanPerSecond() {
    return Arrays.stream(ratesPerSecond).sum() / HOURS;
  }

  public double highestPerSecond() {
    return Arrays.stream(ratesPerSecond).max().orElseThrow();
  }

  /** Returns the highest rate in hours of a kind; 0 if there are none. */
  public double highestPerSecond(HourKind kind) {
    return hours(kind).mapToDouble(hour -> ratesPerSecond[hour]).max().orElse(0);
  }

  public int count(HourKind kind) {
    return (int) hours(kind).count();
  }

  /** Returns the longest run of hours of a kind, across the week's end; at most 168. */
  public int longestStretchHours(HourKind kind) {
    int longest = 0;
    int current = 0;
    for (int hour = 0; hour < 2 * HOURS; hour++) {
      current = kinds[hour % HOURS] == kind ? current + 1 : 0;
      longest = Math.max(longest, current);
    }
    return Math.min(longest, HOURS);
  }

  /** Returns the week's requests. */
  public double requests() {
    return Arrays.stream(ratesPerSecond).sum() * SECONDS_PER_HOUR;
  }

  /** Returns the requests of the busiest day. */
  public double requestsOnBusiestDay() {
    return most(hour -> true);
  }

  /** Returns the requests in hours of a kind, on the day that has most of them. */
  public double mostRequestsInADay(HourKind kind) {
    return most(hour -> kinds[hour] == kind);
  }

  private double most(IntPredicate counted) {
    double most = 0;
    for (int day = 0; day < DAYS; day++) {
      most =
          Math.max(
              most,
              IntStream.range(day * HOURS_PER_DAY, (day + 1) * HOURS_PER_DAY)
                  .filter(counted)
                  .mapToDouble(hour -> ratesPerSecond[hour] * SECONDS_PER_HOUR)
                  .sum());
    }
    return most;
  }

  private IntStream hours(HourKind kind) {
    return IntStream.range(0, HOURS).filter(hour -> kinds[hour] == kind);
  }
}
