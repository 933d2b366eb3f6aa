package org.keywell.bench.tables.measure;

import java.util.Optional;
import org.keywell.keypool.hsm.timed.DeviceProfile;

/**
 * The device to imitate, accessed on site and remotely, as the thesis measured it.
 *
 * @param near on site
 * @param remote the profile of the same name plus {@code -remote}, or {@code near} if there is none
 * @param lanes the remote one, working on several operations at the same time; empty: not wanted
 */
public record SimulatedDevice(
    DeviceProfile near, DeviceProfile remote, Optional<DeviceProfile> lanes) {
  private static final String REMOTE = "-remote";
  private static final int MAX_NAME = 64;

  /**
   * Finds a profile.
   *
   * @param profile its name, or the path of a user's own file
   * @param lanes for an additional measurement of Table 2-10, 1 to {@link DeviceProfile#MAX_LANES};
   *     1: no additional one
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
