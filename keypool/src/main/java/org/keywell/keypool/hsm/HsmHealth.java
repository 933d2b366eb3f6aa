package org.keywell.keypool.hsm;

import java.time.Duration;
import java.util.Optional;

/**
 * How a device is at one moment, by what its calls returned.
 *
 * @param loggedIn whether session and login were alive when the device was last asked for what
 *     needs them
 * @param lastSuccessNanos when a call last succeeded, by {@link System#nanoTime}; at first, when
 *     the device was opened
 * @param down why the device counts as down; empty while it is up
 * @param lastFailure the last failure that put the device in doubt, over or not; empty if there was
 *     none
 * @param callsInProgress how many calls the device is working on
 * @param oldestCall how long the longest of them has been running; zero if there is none
 */
public record HsmHealth(
    boolean loggedIn,
    long lastSuccessNanos,
    Optional<Failure> down,
    Optional<Failure> lastFailure,
    int callsInProgress,
    Duration oldestCall) {

  /**
   * Failures of one kind in a row.
   *
   * @param message what failed, and how, such as {@code C_Sign returned CKR_DEVICE_ERROR (0x30)}
   * @param inARow how many, at least 1
   * @param firstNanos when the first of them returned, by {@link System#nanoTime}
   * @param lastNanos when the last of them did
   */
  public record Failure(String message, int inARow, long firstNanos, long lastNanos) {}
}
