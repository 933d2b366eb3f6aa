package org.keywell.service.ops.health;

import java.util.List;
import java.util.Optional;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.hsm.HsmHealth;
import org.keywell.keypool.hsm.HsmHealth.Failure;

/**
 * How one device is, and whether requests depend on it.
 *
 * @param name the device's
 */
public record DeviceHealth(String name, boolean signs, HsmHealth health) {

  /** That of each device at this moment. Asks no device. */
  public static List<DeviceHealth> all(KeyPools pools) {
    return pools.devices().stream()
        .map(device -> new DeviceHealth(device.name(), device.role().signs(), device.health()))
        .toList();
  }

  /** Why it is down; empty if it works. */
  Optional<String> reason() {
    return health.down().map(DeviceHealth::reason);
  }

  private static String reason(Failure failure) {
    return failure.inARow() == 1
        ? failure.message()
        : failure.message() + ", " + failure.inARow() + " times in a row";
  }
}
