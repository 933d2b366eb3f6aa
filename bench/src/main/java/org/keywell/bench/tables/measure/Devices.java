package org.keywell.bench.tables.measure;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.keywell.bench.tables.figure.Column;
import org.keywell.bench.tables.figure.ThesisRow;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.timed.DeviceProfile;
import org.keywell.keypool.hsm.timed.TimedHsm;

/** The chosen devices: an HSM as it is, and the same one slowed. Not thread-safe. */
final class Devices {
  private final DeviceChoice choice;
  private final Hsm device;
  private final Map<String, Hsm> slowed = new HashMap<>();

  /**
   * @param device the caller closes it
   */
  Devices(DeviceChoice choice, Hsm device) {
    this.choice = choice;
    this.device = device;
  }

  /** Returns the device of a row in a column; the same one for every row of the same profile. */
  Hsm of(Column column, ThesisRow row) {
    Optional<DeviceProfile> profile = choice.profile(column, row);
    return profile.isEmpty()
        ? device
        : slowed.computeIfAbsent(profile.get().name(), _ -> new TimedHsm(device, profile.get()));
  }
}
