package org.keywell.keypool.hsm;

import java.time.Duration;
import java.util.Optional;

/**
 * How a device is at one moment, by what its calls returned.
 *
 * @param state in one word
 * @param hung whether a call has been running for longer than its limit: nothing can be done until
 *     it returns, and if it never does, only a new process helps; the state is then {@link
 *     State#DOWN}
 * @param loggedIn whether session and login were alive when the device was last asked for what
 *     needs them; if not, its epoch has ended and it has to be reopened
 * @param lastSuccessNanos when a call last succeeded, by {@link System#nanoTime}; at first, when
 *     the device was opened
 * @param down why the device does not work; empty while it is up or in doubt
 * @param lastFailure the last failure that put the device in doubt, over or not; empty if there was
 *     none
 * @param callsInProgress how many calls the device is working on
 * @param oldestCall how long the longest of them has been running; zero if there is none
 */
public record HsmHealth(
    State state,
    boolean hung,
    boolean loggedIn,
    long lastSuccessNanos,
    Optional<Failure> down,
    Optional<Failure> lastFailure,
    int callsInProgress,
    Duration oldestCall) {

  /** The states of a device. It signs in the first two only. */
  public enum State {
    /** It works. */
    UP,
    /** A call failed the last time that it was made, but not so often that the device is down. */
    DOUBTFUL,
    /** Its sessions, its login or its keys were lost, and it is being opened anew. */
    REOPENING,
    /** It fails, or hangs, or could not be opened anew; it is tried until it works. */
    DOWN
  }

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
