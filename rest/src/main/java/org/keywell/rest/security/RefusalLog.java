package org.keywell.rest.security;

import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Logs a line for each refusal, but for each caller at most {@value #AT_ONCE} at once and then one
 * per second; the next line says how many were left out. Thread-safe.
 */
public final class RefusalLog implements RefusalListener {

  static final int AT_ONCE = 20;

  private final TimeMeter time;
  private final Consumer<String> lines;

  /** Bounded, since callers come from a file. */
  private final ConcurrentMap<String, OfCaller> callers = new ConcurrentHashMap<>();

  private record OfCaller(Bucket bucket, LongAdder leftOut) {}

  /**
   * @param lines takes each line; must neither block nor throw
   */
  public RefusalLog(LongSupplier nanoClock, Consumer<String> lines) {
    this.lines = lines;
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

  @Override
  public void refused(RefusedRequest request) {
    if (request.onRecord()) {
      return;
    }
    OfCaller caller = callers.computeIfAbsent(request.caller(), name -> ofCaller());
    if (!caller.bucket().tryConsume(1)) {
      caller.leftOut().increment();
      return;
    }
    long leftOut = caller.leftOut().sumThenReset();
    lines.accept(
        "refused "
            + request.told()
            + (leftOut == 0 ? "" : "; " + leftOut + " of this caller's before it are left out"));
  }

  private OfCaller ofCaller() {
    Bandwidth limit =
        Bandwidth.builder().capacity(AT_ONCE).refillGreedy(1, Duration.ofSeconds(1)).build();
    return new OfCaller(
        Bucket.builder().addLimit(limit).withCustomTimePrecision(time).build(), new LongAdder());
  }
}
