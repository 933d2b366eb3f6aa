package org.keywell.signing.hsm;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.timed.DeviceProfile;
import org.keywell.keypool.hsm.timed.TimedHsm;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HSM timing, real or simulated.
 *
 * @param simulated the device that HSMs are slowed down to; empty: real times
 */
public record HsmTimes(Optional<DeviceProfile> simulated) {

  private static final Logger log = LoggerFactory.getLogger(HsmTimes.class);

  /** Warns if times are simulated, which is for experiments. */
  void announce() {
    simulated.ifPresent(profile ->
        log.warn(
            "keywell.hsm.profile is {}: HSM times are simulated, for experiments only ({})",
            profile.name(),
            profile.source()));
  }

  /** Returns the device with these times. */
  public Hsm of(Hsm device) {
    return simulated.<Hsm>map(profile -> new TimedHsm(device, profile)).orElse(device);
  }

  /** Returns the profile's name or null. */
  public @Nullable String profileName() {
    return simulated.map(DeviceProfile::name).orElse(null);
  }
}
