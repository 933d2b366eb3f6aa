package org.keywell.operations.console;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One moment of the plots.
 *
 * @param epochMillis its calendar time
 * @param signedPerSecond since the previous sample, 0 or more
 * @param unsignedPerSecond requests that failed, expired or were refused, likewise
 * @param queueLength places taken in the sign queue
 * @param latency of requests in about the last ten seconds; null if there were none
 * @param pools in the order of {@link ConsoleLimits#pools()}
 */
record Sample(
    long epochMillis,
    double signedPerSecond,
    double unsignedPerSecond,
    int queueLength,
    @Nullable Latency latency,
    List<PoolSample> pools) {

  /** From receipt until the outcome was durable, in milliseconds. */
  record Latency(double p50Millis, double p99Millis) {}

  /**
   * One kind of key.
   *
   * @param stored null while the store cannot be counted
   * @param emptySeconds until both tiers are empty, 0 if they are; null if they do not drain or
   *     {@code stored} is unknown
   * @param leased keys given to requests since the start
   */
  record PoolSample(
      @Nullable Long stored, int loaded, @Nullable Double emptySeconds, long leased) {}
}
