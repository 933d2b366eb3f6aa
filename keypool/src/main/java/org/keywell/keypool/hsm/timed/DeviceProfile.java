package org.keywell.keypool.hsm.timed;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The times of a device that {@link TimedHsm} imitates. They are the same for every {@link
 * org.keywell.keypool.hsm.KeySpec kind of key}.
 *
 * @param name names the device in reports: 1 to 64 of {@code a-z 0-9 . _ -}
 * @param source where the times come from
 * @param lanes operations that the device works on in parallel, 1 to {@link #MAX_LANES}
 * @param unwrapLanes lanes only for unwrapping, so that it holds up nothing else; 0: unwrapping
 *     takes a lane like the rest
 * @param generation time for one key pair
 * @param wrapping time for one private key
 * @param unwrapping time for one private key
 * @param signing time for a whole signing: both signatures, by the new key and by the CA, and the
 *     key's destruction (thesis section 2.10.4)
 */
public record DeviceProfile(
    String name,
    String source,
    int lanes,
    int unwrapLanes,
    OperationTime generation,
    OperationTime wrapping,
    OperationTime unwrapping,
    OperationTime signing) {

  /** The maximum of {@code lanes} and {@code unwrap-lanes}. */
  public static final int MAX_LANES = 64;

  private static final Pattern NAME = Pattern.compile("[a-z0-9._-]{1,64}");

  /**
   * @throws IllegalArgumentException naming the key in the profile's file that is out of bounds
   */
  public DeviceProfile {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("name has 1 to 64 of a-z 0-9 . _ -: '" + name + "'");
    }
    if (source.isBlank()) {
      throw new IllegalArgumentException("source is empty");
    }
    requireLanes("lanes", lanes, 1);
    requireLanes("unwrap-lanes", unwrapLanes, 0);
  }

  /** Returns the names of the built-in profiles. */
  public static List<String> builtInNames() {
    return ProfileFiles.BUILT_IN;
  }

  /**
   * Returns the profile of that name or in that file.
   *
   * @param nameOrPath a path if it has a slash or ends in {@code .yaml} or {@code .yml}, otherwise
   *     one of {@link #builtInNames()}
   * @throws IllegalArgumentException if there is no such profile or its file is wrong; one line,
   *     which names the file and the key
   */
  public static DeviceProfile named(String nameOrPath) {
    return ProfileFiles.named(nameOrPath);
  }

  private static void requireLanes(String key, int value, int least) {
    if (value < least || value > MAX_LANES) {
      throw new IllegalArgumentException(
          key + " is " + value + ", expected " + least + "-" + MAX_LANES);
    }
  }

  /**
   * The duration of an operation: uniformly distributed between two bounds.
   *
   * @param min zero or more
   * @param max at least {@code min}, at most ten minutes
   */
  public record OperationTime(Duration min, Duration max) {

    /** No operation of a simulated device takes longer. */
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})\\s*(us|ms|s)");
    private static final Map<String, Long> NANOS_PER_UNIT =
        Map.of("us", 1_000L, "ms", 1_000_000L, "s", 1_000_000_000L);

    /**
     * @throws IllegalArgumentException if the bounds are negative, swapped or too long
     */
    public OperationTime {
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
    static OperationTime parse(String text) {
      int dots = text.indexOf("..");
      if (dots < 0) {
        Duration fixed = duration(text);
        return new OperationTime(fixed, fixed);
      }
      return new OperationTime(
          duration(text.substring(0, dots)), duration(text.substring(dots + 2)));
    }

    private static Duration duration(String text) {
      Matcher matcher = DURATION.matcher(text.strip());
      if (!matcher.matches()) {
        throw new IllegalArgumentException(
            "is not a time with a unit (us, ms or s), such as 20ms or 588ms..673ms");
      }
      return Duration.ofNanos(
          Math.multiplyExact(
              Long.parseLong(matcher.group(1)), NANOS_PER_UNIT.getOrDefault(matcher.group(2), 0L)));
    }

    /** Draws a time from this range, in nanoseconds. */
    long drawNanos(RandomGenerator random) {
      long from = min.toNanos();
      long to = max.toNanos();
      return from == to ? from : random.nextLong(from, to + 1);
    }
  }
}
