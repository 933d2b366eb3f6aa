package org.keywell.keypool.hsm.timed;

import java.util.regex.Pattern;

/**
 * The times of a device, as {@link TimedHsm} imitates them. They are the same for every {@link
 * org.keywell.keypool.hsm.KeySpec kind of key}.
 *
 * @param name names the device in reports: 1 to 64 of {@code a-z 0-9 . _ -}
 * @param source where the times come from
 * @param lanes operations that the device works on at the same time, 1 to {@link #MAX_LANES}
 * @param unwrapLanes lanes that do nothing but unwrap, so that unwrapping holds up nothing else; 0:
 *     it takes a lane like the rest
 * @param generation one key pair
 * @param wrapping one private key
 * @param unwrapping one private key
 * @param signing a whole signing: both signatures, by the new key and by the CA, up to the key's
 *     destruction (thesis section 2.10.4)
 */
public record DeviceProfile(
    String name,
    String source,
    int lanes,
    int unwrapLanes,
    DurationRange generation,
    DurationRange wrapping,
    DurationRange unwrapping,
    DurationRange signing) {

  /** The most that {@code lanes} and {@code unwrap-lanes} may be. */
  public static final int MAX_LANES = 64;

  private static final Pattern NAME = Pattern.compile("[a-z0-9._-]{1,64}");

  /**
   * @throws IllegalArgumentException naming the key of the profile's file that is out of bounds
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

  private static void requireLanes(String key, int value, int least) {
    if (value < least || value > MAX_LANES) {
      throw new IllegalArgumentException(
          key + " is " + value + ", expected " + least + "-" + MAX_LANES);
    }
  }
}
