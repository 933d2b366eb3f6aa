package org.keywell.service.hsm;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.timed.DeviceProfile;
import org.keywell.keypool.hsm.timed.TimedHsm;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the HSM shows times of its own.
 *
 * @param simulated the device that it is slowed down to; empty: its own times
 */
public record HsmTimes(Optional<DeviceProfile> simulated) {

  private static final Logger log = LoggerFactory.getLogger(HsmTimes.class);

  /** The device with these times. Warns if they are not its own: that is for experiments. */
  Hsm of(Hsm device) {
    simulated.ifPresent(profile ->
        log.warn(
            "keywell.hsm.profile is {}: HSM times are simulated, for experiments only ({})",
            profile.name(),
            profile.source()));
    return simulated.<Hsm>map(profile -> new TimedHsm(device, profile)).orElse(device);
  }

  /** The name of the profile, or null. */
  public @Nullable String profileName() {
    return simulated.map(DeviceProfile::name).orElse(null);
  }
}
