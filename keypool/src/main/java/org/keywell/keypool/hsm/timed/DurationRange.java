package org.keywell.keypool.hsm.timed;

import java.time.Duration;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long an operation takes: any time between two, each as likely as the other.
 *
 * @param min zero or more
 * @param max at least {@code min}, at most {@link #LONGEST}
 */
public record DurationRange(Duration min, Duration max) {

  /** No operation of a simulated device takes longer. */
  public static final Duration LONGEST = Duration.ofMinutes(10);

  private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})\\s*(us|ms|s)");
  private static final Map<String, Long> NANOS =
      Map.of("us", 1_000L, "ms", 1_000_000L, "s", 1_000_000_000L);

  /**
   * @throws IllegalArgumentException if the bounds are negative, swapped or too long
   */
  public DurationRange {
    if (min.isNegative()) {
      throw new IllegalArgumentException("is negative");
    }
    if (min.compareTo(max) > 0) {
      throw new IllegalArgumentException("begins after its end");
    }
    if (max.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("is longer than " + LONGEST.toMinutes() + " minutes");
    }
  }

  /**
   * Reads a duration such as {@code 20ms}, or a range such as {@code 588ms..673ms}; the units are
   * {@code us}, {@code ms} and {@code s}.
   *
   * @throws IllegalArgumentException if the text is anything else, or not a valid range
   */
  public static DurationRange parse(String text) {
    int dots = text.indexOf("..");
    if (dots < 0) {
      Duration fixed = duration(text);
      return new DurationRange(fixed, fixed);
    }
    return new DurationRange(duration(text.substring(0, dots)), duration(text.substring(dots + 2)));
  }

  private static Duration duration(String text) {
    Matcher matcher = DURATION.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "is not a time with a unit (us, ms or s), such as 20ms or 588ms..673ms");
    }
    return Duration.ofNanos(
        Math.multiplyExact(
            Long.parseLong(matcher.group(1)), NANOS.getOrDefault(matcher.group(2), 0L)));
  }

  /** A time of this range, in nanoseconds. */
  long drawNanos(RandomGenerator random) {
    long from = min.toNanos();
    long to = max.toNanos();
    return from == to ? from : random.nextLong(from, to + 1);
  }
}
