package org.keywell.service.pool;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.keywell.keypool.Device;

/**
 * A device as far as other instances have to know of it, and it of them.
 *
 * @param id its name for all instances; another one after it was replaced
 * @param isBusy whether this instance signs with it, so that none here would begin a key
 * @param busyElsewhere is told for how long none here is to begin one because of others
 */
record SharedToken(Supplier<String> id, BooleanSupplier isBusy, Consumer<Duration> busyElsewhere) {

  /**
   * One of this instance's devices.
   *
   * @param idleAfter how long after a request no key would be begun in it here
   */
  static SharedToken of(Device device, Duration idleAfter) {
    return new SharedToken(
        device::tokenId, () -> isBusy(device.idleFor(), idleAfter), device::busyElsewhere);
  }

  private static boolean isBusy(Duration idleFor, Duration idleAfter) {
    return idleFor.isZero() || idleFor.compareTo(idleAfter) < 0;
  }
}
