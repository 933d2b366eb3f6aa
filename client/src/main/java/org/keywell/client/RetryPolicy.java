package org.keywell.client;

import java.time.Duration;

/**
 * How a call is tried again. The same bytes are sent with the same id, so that the service signs
 * once, however often it is asked. All tries together have the call's deadline.
 *
 * @param longestTry how long one try waits for its answer, before a new connection is tried
 * @param firstPause about how long to wait after the first failure; twice as long after each
 *     further one
 * @param longestPause no pause is longer, unless the service says when to come again
 * @param newConnections how many new connections look for the instance that has an act's key
 */
public record RetryPolicy(
    Duration longestTry, Duration firstPause, Duration longestPause, int newConnections) {

  /** Tries of 20 s; pauses of about 100 ms, 200 ms, … up to 5 s; five new connections. */
  public static final RetryPolicy STANDARD =
      new RetryPolicy(Duration.ofSeconds(20), Duration.ofMillis(100), Duration.ofSeconds(5), 5);

  /** Refuses what would ask without a pause, or never. */
  public RetryPolicy {
    if (longestTry.toMillis() < 1 || firstPause.toMillis() < 1 || newConnections < 0) {
      throw new IllegalArgumentException(
          "tries and pauses take 1 ms or longer, and there is no negative number of connections");
    }
    if (longestPause.compareTo(firstPause) < 0) {
      throw new IllegalArgumentException("the longest pause is shorter than the first one");
    }
  }

  /** The pause after a number of failures, of which half is left to chance. */
  Duration pause(int failures, double chance) {
    long doubled = firstPause.toNanos() << Math.min(failures - 1, 20);
    long whole = doubled <= 0 ? longestPause.toNanos() : Math.min(doubled, longestPause.toNanos());
    return Duration.ofNanos((long) (whole * (1 + chance) / 2));
  }
}
