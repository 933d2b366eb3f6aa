package org.keywell.signing.sign;

import java.time.Duration;
import org.keywell.signing.request.SignOutcome;

/**
 * Keeps the keys of acts in two calls while no handler works with them. Thread-safe; methods that
 * handlers call must not wait for the device.
 */
public interface KeyKeeper {

  /**
   * Takes a place for one more key, before the act is admitted. It is freed when the act ends, or
   * its answer says that it was not opened.
   *
   * @throws org.keywell.signing.request.RefusedException if there is none; it names the limit
   */
  void reserve(PendingRequest opening);

  /** Keeps the certified key, has the act recorded as open, and answers it. */
  void keep(PendingRequest opening, SignOutcome.Opened opened) throws InterruptedException;

  /**
   * Ends acts whose keys have waited this long for destruction: the device hangs. The keys are
   * destroyed when it continues. Returns how many.
   */
  int endWithoutDevice(Duration atLeast) throws InterruptedException;

  /** Destroys the key of an act that was ended while waiting for a handler. */
  void destroy(PendingRequest ended);
}
