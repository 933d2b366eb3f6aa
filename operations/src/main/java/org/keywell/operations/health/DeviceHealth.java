package org.keywell.operations.health;

import java.util.Optional;
import org.keywell.keypool.hsm.HsmHealth;
import org.keywell.keypool.hsm.HsmHealth.Failure;

/**
 * The state of one device, and whether requests depend on it.
 *
 * @param name the device's
 */
public record DeviceHealth(String name, boolean signs, HsmHealth health) {

  /** Returns why it is down; empty if it works. */
  Optional<String> reason() {
    return health.down().map(DeviceHealth::reason);
  }

  private static String reason(Failure failure) {
    return failure.inARow() == 1
        ? failure.message()
        : failure.message() + ", " + failure.inARow() + " times in a row";
  }
}
