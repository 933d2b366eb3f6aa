package org.keywell.bench.tables.measure;

import java.util.Optional;
import org.keywell.keypool.hsm.timed.DeviceProfile;

/**
 * The device to imitate, seen from where it stands and from afar, as the thesis measured it.
 *
 * @param near on the spot
 * @param remote the profile's namesake that ends in {@code -remote}, or {@code near} where there is
 *     none
 * @param lanes the remote one, working on several operations at the same time; empty: not wanted
 */
public record SimulatedDevice(
    DeviceProfile near, DeviceProfile remote, Optional<DeviceProfile> lanes) {
  private static final String REMOTE = "-remote";
  private static final int MAX_NAME = 64;

  /**
   * Finds a profile.
   *
   * @param profile its name, or the path of a file of the user's own
   * @param lanes as many as Table 2-10 is also measured with, 1 to {@link DeviceProfile#MAX_LANES};
   *     1: with those of the profile alone
   * @throws IllegalArgumentException in one line, if there is no such profile or it is wrong
   */
  public static SimulatedDevice of(String profile, int lanes) {
    DeviceProfile near = DeviceProfile.named(profile);
    String namesake = near.name() + REMOTE;
    DeviceProfile remote =
        DeviceProfile.builtInNames().contains(namesake) ? DeviceProfile.named(namesake) : near;
    return new SimulatedDevice(
        near, remote, lanes == 1 ? Optional.empty() : Optional.of(withLanes(remote, lanes)));
  }

  private static DeviceProfile withLanes(DeviceProfile like, int lanes) {
    String suffix = "-" + lanes + "-lanes";
    int kept = Math.min(like.name().length(), MAX_NAME - suffix.length());
    return new DeviceProfile(
        like.name().substring(0, kept) + suffix,
        like.source() + ", with another number of lanes",
        lanes,
        like.unwrapLanes(),
        like.generation(),
        like.wrapping(),
        like.unwrapping(),
        like.signing());
  }
}
