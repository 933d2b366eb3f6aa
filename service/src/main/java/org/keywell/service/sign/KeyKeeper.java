package org.keywell.service.sign;

import java.time.Duration;
import org.keywell.service.request.SignOutcome;

/**
 * Keeps the keys of acts in two calls while no handler has them at hand. Thread-safe; what handlers
 * call must not wait for the device.
 */
public interface KeyKeeper {

  /**
   * Takes a place for one more key, before the act is admitted. It is free again when the act has
   * ended, or its answer says that it was not opened.
   *
   * @throws org.keywell.service.request.RefusedException if there is none; it names the limit
   */
  void reserve(PendingRequest opening);

  /** Keeps the key, which is certified: the act is to be put on record as open, and answered. */
  void keep(PendingRequest opening, SignOutcome.Opened opened) throws InterruptedException;

  /**
   * Ends the acts whose keys have been waiting to be destroyed for so long: the device hangs. They
   * are destroyed when it goes on. Returns how many.
   */
  int endWithoutDevice(Duration atLeast) throws InterruptedException;

  /** Destroys the key of an act that was ended while it waited for a handler. */
  void destroy(PendingRequest ended);
}
