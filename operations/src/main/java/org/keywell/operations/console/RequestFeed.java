package org.keywell.operations.console;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.keywell.operations.console.Sample.Latency;
import org.keywell.signing.request.KeyUse;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.sign.AdmissionLimit;
import org.keywell.signing.sign.SignListener;

/**
 * The console's view of requests. Called on the threads that serve them: counts, and allocates one
 * record for each request that ends. Thread-safe.
 */
final class RequestFeed implements SignListener {

  /** Requests listed on the page. */
  static final int LISTED = 20;

  /** Seconds that the percentiles reach back, at one sample a second. */
  private static final int LATENCY_INTERVALS = 10;

  /** Requests since the start, by how they ended. */
  record Totals(long signed, long failed, long expired, long refused) {

    long unsigned() {
      return failed + expired + refused;
    }
  }

  /**
   * The latest request refused at the door.
   *
   * @param atNanos by the elapsed-time clock
   */
  record Refusal(AdmissionLimit limit, long atNanos) {}

  private final LongSupplier nanoClock;
  private final LatencyWindow latency = new LatencyWindow(LATENCY_INTERVALS);
  private final RecentRequests recent = new RecentRequests(LISTED);
  private final AtomicLong numbers = new AtomicLong();
  private final LongAdder signed = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder expired = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private volatile @Nullable Refusal lastRefusal;

  RequestFeed(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  @Override
  public void refused(AdmissionLimit limit) {
    refused.increment();
    lastRefusal = new Refusal(limit, nanoClock.getAsLong());
  }

  /** Lists the act with its stages, including the wait for digests, which latency leaves out. */
  @Override
  public void actEnded(UUID actId, RequestTimes times, SignOutcome outcome) {
    long total = times.sinceReceipt().toNanos();
    String label =
        switch (outcome) {
          case SignOutcome.Signed ok -> {
            signed.increment();
            yield "signed";
          }
          case SignOutcome.Failed failure -> {
            failed.increment();
            yield failure.reason().label();
          }
          case SignOutcome.Expired late -> {
            expired.increment();
            yield "expired";
          }
          case SignOutcome.Cancelled gaveUp -> "cancelled";
          case SignOutcome.Opened open -> throw new IllegalArgumentException("it has not ended");
        };
    list(actId, times, outcome, label, total);
  }

  @Override
  public void ended(UUID requestId, RequestTimes times, SignOutcome outcome) {
    long total = times.sinceReceipt().toNanos();
    String label =
        switch (outcome) {
          case SignOutcome.Signed ok -> {
            signed.increment();
            latency.record(total);
            yield "signed";
          }
          case SignOutcome.Failed failure -> {
            failed.increment();
            yield failure.reason().label();
          }
          case SignOutcome.Expired late -> {
            expired.increment();
            latency.record(total);
            yield "expired";
          }
          case SignOutcome.Cancelled _, SignOutcome.Opened _ ->
              throw new IllegalArgumentException("an act is told of as one");
        };
    list(requestId, times, outcome, label, total);
  }

  private void list(
      UUID requestId, RequestTimes times, SignOutcome outcome, String label, long total) {
    KeyUse use = outcome.keyUse();
    recent.add(
        new RecentRequest(
            numbers.getAndIncrement(),
            requestId,
            nanoClock.getAsLong(),
            label,
            preGenerated(use),
            total / 1000,
            StageTimes.of(times, total)));
  }

  private static @Nullable Boolean preGenerated(@Nullable KeyUse use) {
    return use == null ? null : use.preGenerated();
  }

  @Override
  public void closedUnrecorded(int requests) {
    failed.add(requests);
  }

  Totals totals() {
    return new Totals(signed.sum(), failed.sum(), expired.sum(), refused.sum());
  }

  /** Empty if there was none since the start. */
  Optional<Refusal> lastRefusal() {
    return Optional.ofNullable(lastRefusal);
  }

  List<RecentRequest> newestFirst() {
    return recent.newestFirst();
  }

  /** Returns percentiles of signed or expired requests; to be called by one thread only. */
  Optional<Latency> endLatencyInterval() {
    return latency.endInterval();
  }
}
