package org.keywell.client;

import java.time.Duration;

/**
 * How calls are retried. Each try sends the same bytes with the same id, so the service signs only
 * once. The call's deadline covers all tries together.
 *
 * @param longestTry how long one try waits for its answer before a new connection is tried
 * @param firstPause approximate wait after the first failure; doubles after each further one
 * @param longestPause limit for pauses, unless the service says when to retry
 * @param newConnections how many new connections to try to reach the instance that has an act's key
 */
public record RetryPolicy(
    Duration longestTry, Duration firstPause, Duration longestPause, int newConnections) {

  /** Tries of 20 s; pauses of about 100 ms, 200 ms, … up to 5 s; five new connections. */
  public static final RetryPolicy STANDARD =
      new RetryPolicy(Duration.ofSeconds(20), Duration.ofMillis(100), Duration.ofSeconds(5), 5);

  /** Refuses values that would mean tries without a pause, or none. */
  public RetryPolicy {
    if (longestTry.toMillis() < 1 || firstPause.toMillis() < 1 || newConnections < 0) {
      throw new IllegalArgumentException(
          "tries and pauses take 1 ms or longer, and there is no negative number of connections");
    }
    if (longestPause.compareTo(firstPause) < 0) {
      throw new IllegalArgumentException("the longest pause is shorter than the first one");
    }
  }

  /** Returns the pause after a number of failures; half of it is random. */
  Duration pause(int failures, double chance) {
    long doubled = firstPause.toNanos() << Math.min(failures - 1, 20);
    long whole = doubled <= 0 ? longestPause.toNanos() : Math.min(doubled, longestPause.toNanos());
    return Duration.ofNanos((long) (whole * (1 + chance) / 2));
  }
}
