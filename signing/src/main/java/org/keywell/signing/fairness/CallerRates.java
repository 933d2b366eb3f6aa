package org.keywell.signing.fairness;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.caller.CallerLimits;

/**
 * Limits each caller's request rate at this instance: a bucket of {@code burst} tokens that refills
 * at {@code rate-per-second}. A caller whose bucket is full again may be forgotten, as a new bucket
 * is full, too.
 *
 * <p>Thread-safe.
 */
public final class CallerRates {

  private static final Duration SECOND = Duration.ofSeconds(1);

  /** A caller's bucket, built for these numbers. */
  private record Paced(int ratePerSecond, int burst, Bucket bucket) {

    boolean isOf(CallerLimits limits) {
      return ratePerSecond == limits.ratePerSecond() && burst == limits.burst();
    }

    boolean isFull() {
      return bucket.getAvailableTokens() >= burst;
    }
  }

  private final TimeMeter time;
  private final ConcurrentMap<String, Paced> callers = new ConcurrentHashMap<>();

  /**
   * @param nanoClock elapsed time
   */
  public CallerRates(LongSupplier nanoClock) {
    this.time =
        new TimeMeter() {
          @Override
          public long currentTimeNanos() {
            return nanoClock.getAsLong();
          }

          @Override
          public boolean isWallClockBased() {
            return false;
          }
        };
  }

  /**
   * Takes one of the caller's tokens.
   *
   * @return empty if it had one; else the time until it has one
   */
  public Optional<Duration> take(Caller caller) {
    CallerLimits limits = caller.limits();
    if (limits.ratePerSecond() == 0) {
      return Optional.empty();
    }
    Bucket bucket = bucketOf(caller.name(), limits);
    if (bucket.tryConsume(1)) {
      return Optional.empty();
    }
    ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(1);
    return probe.isConsumed()
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(probe.getNanosToWaitForRefill()));
  }

  private Bucket bucketOf(String name, CallerLimits limits) {
    @Nullable Paced paced = callers.get(name);
    if (paced != null && paced.isOf(limits)) {
      return paced.bucket();
    }
    // Rare: names are from the callers file. Keeps only active callers in the map.
    callers.values().removeIf(Paced::isFull);
    return callers
        .compute(name, (_, other) -> other != null && other.isOf(limits) ? other : paced(limits))
        .bucket();
  }

  private Paced paced(CallerLimits limits) {
    return new Paced(
        limits.ratePerSecond(),
        limits.burst(),
        Bucket.builder()
            .addLimit(limit ->
                limit.capacity(limits.burst()).refillGreedy(limits.ratePerSecond(), SECOND))
            .withCustomTimePrecision(time)
            .build());
  }

  /** Returns how many callers are remembered. */
  int remembered() {
    return callers.size();
  }
}
