package org.keywell.signing.pool;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.keywell.keypool.Device;

/**
 * What instances share about a device.
 *
 * @param id its name for all instances; changes when it is replaced
 * @param isBusy whether this instance signs with it, so that it would start no key in it
 * @param busyElsewhere receives for how long this instance starts none because of others
 */
record SharedToken(Supplier<String> id, BooleanSupplier isBusy, Consumer<Duration> busyElsewhere) {

  /**
   * Returns one of this instance's devices.
   *
   * @param idleAfter how long after a request this instance starts no key in it
   */
  static SharedToken of(Device device, Duration idleAfter) {
    return new SharedToken(
        device::tokenId, () -> isBusy(device.idleFor(), idleAfter), device::busyElsewhere);
  }

  private static boolean isBusy(Duration idleFor, Duration idleAfter) {
    return idleFor.isZero() || idleFor.compareTo(idleAfter) < 0;
  }
}
