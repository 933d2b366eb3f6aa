package org.keywell.keypool.hsm.pkcs11;

/**
 * Is told of each call of a PKCS#11 function that returned, on the thread that made it.
 *
 * <p>Must be thread-safe. It runs on the signing path: it must not block, and should not allocate.
 * What it throws, the caller of the device gets.
 */
@FunctionalInterface
public interface CallListener {

  /** Listens to nothing. */
  CallListener NONE = (function, returnValue, beganNanos, endedNanos) -> {};

  /**
   * A call has returned.
   *
   * @param returnValue the {@code CK_RV}
   * @param beganNanos by {@link System#nanoTime}
   * @param endedNanos by {@link System#nanoTime}
   */
  void returned(CkFunction function, long returnValue, long beganNanos, long endedNanos);

  /** Tells this listener first, then another. */
  default CallListener andThen(CallListener next) {
    return (function, returnValue, beganNanos, endedNanos) -> {
      returned(function, returnValue, beganNanos, endedNanos);
      next.returned(function, returnValue, beganNanos, endedNanos);
    };
  }
}
