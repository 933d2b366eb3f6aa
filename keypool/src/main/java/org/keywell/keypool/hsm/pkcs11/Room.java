package org.keywell.keypool.hsm.pkcs11;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a device has room for another key, judging by one function's last attempt to add one. A
 * generated pair takes more room than an unwrapped key, so each function is judged separately. Logs
 * once a minute that there is none, however many attempts are refused.
 *
 * <p>Thread-safe; allocates nothing while there is room.
 */
final class Room {

  private static final Logger log = LoggerFactory.getLogger(Room.class);
  private static final Duration LINE_EVERY = Duration.ofMinutes(1);

  private final CkFunction function;
  private volatile boolean full;
  private @Nullable Long toldNanos;

  /**
   * @param function adds keys to the device
   */
  Room(CkFunction function) {
    this.function = function;
  }

  /** Records a call of the function. */
  void returned(long returnValue, long nanos) {
    if (ReturnValue.CKR_DEVICE_MEMORY.is(returnValue)) {
      refused(nanos);
    } else if (returnValue == 0 && full) {
      full = false;
    }
  }

  /** Records that the device was reopened: what lived in it is gone. */
  void emptied() {
    full = false;
  }

  boolean isFull() {
    return full;
  }

  private synchronized void refused(long nanos) {
    full = true;
    if (toldNanos == null || nanos - toldNanos >= LINE_EVERY.toNanos()) {
      toldNanos = nanos;
      log.error(
          "the HSM has no room for another key: {} returned {}; keys that are loaded still sign",
          function.label(),
          ReturnValue.name(ReturnValue.CKR_DEVICE_MEMORY.code()));
    }
  }
}
