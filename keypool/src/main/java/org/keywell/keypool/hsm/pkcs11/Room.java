package org.keywell.keypool.hsm.pkcs11;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a device has room for another key, as the last attempt of one function to bring one into
 * it told. A pair that is generated takes more than a key that is unwrapped, so each function is
 * judged by itself. Says so once a minute, however many attempts are refused.
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
   * @param function brings keys into the device
   */
  Room(CkFunction function) {
    this.function = function;
  }

  /** A call of the function has returned. */
  void returned(long returnValue, long nanos) {
    if (ReturnValue.CKR_DEVICE_MEMORY.is(returnValue)) {
      refused(nanos);
    } else if (returnValue == 0 && full) {
      full = false;
    }
  }

  /** The device is open anew: what lived in it is gone. */
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
