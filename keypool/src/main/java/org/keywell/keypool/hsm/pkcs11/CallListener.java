package org.keywell.keypool.hsm.pkcs11;

/**
 * A listener that runs after each PKCS#11 call returns, on the thread that made it.
 *
 * <p>Must be thread-safe. It runs on the signing path: it must not block and should not allocate.
 * Its exceptions reach the caller of the device.
 */
@FunctionalInterface
public interface CallListener {

  /** Ignores all calls. */
  CallListener NONE = (function, returnValue, beganNanos, endedNanos) -> {};

  /**
   * Handles the return of a call.
   *
   * @param returnValue the {@code CK_RV}
   * @param beganNanos by {@link System#nanoTime}
   * @param endedNanos by {@link System#nanoTime}
   */
  void returned(CkFunction function, long returnValue, long beganNanos, long endedNanos);

  /** Returns a listener that calls this one first, then another. */
  default CallListener andThen(CallListener next) {
    return (function, returnValue, beganNanos, endedNanos) -> {
      returned(function, returnValue, beganNanos, endedNanos);
      next.returned(function, returnValue, beganNanos, endedNanos);
    };
  }
}
