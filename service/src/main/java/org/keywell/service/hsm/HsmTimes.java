package org.keywell.service.hsm;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.timed.DeviceProfile;
import org.keywell.keypool.hsm.timed.TimedHsm;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether HSMs show times of their own.
 *
 * @param simulated the device that they are slowed down to; empty: their own times
 */
public record HsmTimes(Optional<DeviceProfile> simulated) {

  private static final Logger log = LoggerFactory.getLogger(HsmTimes.class);

  /** Warns if devices do not show their own times: that is for experiments. */
  void announce() {
    simulated.ifPresent(profile ->
        log.warn(
            "keywell.hsm.profile is {}: HSM times are simulated, for experiments only ({})",
            profile.name(),
            profile.source()));
  }

  /** The device with these times. */
  Hsm of(Hsm device) {
    return simulated.<Hsm>map(profile -> new TimedHsm(device, profile)).orElse(device);
  }

  /** The name of the profile, or null. */
  public @Nullable String profileName() {
    return simulated.map(DeviceProfile::name).orElse(null);
  }
}
