package org.keywell.keypool.hsm;

import java.time.Duration;
import java.util.Optional;

/**
 * The health of a device at one moment, as its calls' results show it.
 *
 * @param state in one word
 * @param hung whether a call has exceeded its limit: nothing can be done until it returns, and if
 *     it never does, only a new process helps; the state is then {@link State#DOWN}
 * @param loggedIn whether session and login were alive when the device was last used for something
 *     that needs them; if not, its epoch has ended and it must be reopened
 * @param lastSuccessNanos when a call last succeeded, by {@link System#nanoTime}; initially, when
 *     the device was opened
 * @param down why the device does not work; empty while it is up or in doubt
 * @param lastFailure the last failure that put the device in doubt, even if it is over; empty if
 *     there was none
 * @param callsInProgress how many calls the device is working on
 * @param oldestCall how long the oldest of them has been running; zero if there is none
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

  /** The states of a device. It signs only in the first two. */
  public enum State {
    /** It works. */
    UP,
    /** A call failed the last time it was made, but not often enough for the device to be down. */
    DOUBTFUL,
    /** Its sessions, its login or its keys were lost, and it is being reopened. */
    REOPENING,
    /** It fails, hangs or could not be reopened; it is retried until it works. */
    DOWN
  }

  /**
   * Consecutive failures of one kind.
   *
   * @param message what failed, and how, such as {@code C_Sign returned CKR_DEVICE_ERROR (0x30)}
   * @param inARow how many, at least 1
   * @param firstNanos when the first of them returned, by {@link System#nanoTime}
   * @param lastNanos when the last of them did
   */
  public record Failure(String message, int inARow, long firstNanos, long lastNanos) {}
}
