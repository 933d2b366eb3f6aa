package org.keywell.operations.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.keywell.signing.request.FailureReason;
import org.keywell.signing.request.KeyUse;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.sign.AdmissionLimit;
import org.keywell.signing.sign.SignListener;

/** Requests: how they were admitted, and how they ended. */
final class SignMetrics implements SignListener {

  private static final String ENDS = "Ends of accepted requests, when on record";

  private final Meters meters;
  private final StageMetrics stages;
  private final Counter accepted;
  private final Counter repeated;
  private final Counter refused;
  private final Counter unrecorded;
  private final Counter interrupted;
  private final Map<AdmissionLimit, Counter> limits = new EnumMap<>(AdmissionLimit.class);
  private final Map<FailureReason, Counter> failures = new ConcurrentHashMap<>();
  private final Timed signed;
  private final Timed failed;
  private final Timed expired;
  private final Ends cancelled;
  private final Map<String, Counter> acts = new HashMap<>();
  private final AtomicInteger inProgress = new AtomicInteger();

  /** One outcome of requests in one call. */
  private record Timed(Ends ends, Timer process, Timer request) {}

  /** Counters of one outcome, by the key's origin. */
  private record Ends(Counter preGenerated, Counter onTheFly, Counter noKey) {

    private Counter of(SignOutcome outcome) {
      KeyUse use = outcome.keyUse();
      // As in the record, which omits a key that another record names.
      return use == null || use.recordedElsewhere()
          ? noKey
          : use.preGenerated() ? preGenerated : onTheFly;
    }
  }

  SignMetrics(MeterRegistry registry) {
    this.meters = new Meters(registry);
    this.stages = new StageMetrics(meters);
    this.accepted = admission("accepted");
    this.repeated = admission("repeated");
    this.refused = admission("refused");
    this.unrecorded = admission("unrecorded");
    this.interrupted =
        meters.counter("keywell.sign.interrupted", "Requests that an earlier run left in flight");
    for (AdmissionLimit limit : AdmissionLimit.values()) {
      limits.put(
          limit,
          meters.counter(
              "keywell.sign.refused",
              "Refused requests by the limit that they met",
              "limit",
              Meters.label(limit)));
    }
    // Start at 0, so that the first one shows. Requests of an earlier run are counted above.
    EnumSet.complementOf(EnumSet.of(FailureReason.INTERRUPTED, FailureReason.ERASED))
        .forEach(this::failure);
    this.signed = timed("signed");
    this.failed = timed("failed");
    this.expired = timed("expired");
    this.cancelled = ends("cancelled");
    for (String outcome : List.of("signed", "failed", "expired", "cancelled")) {
      acts.put(
          outcome,
          meters.counter(
              "keywell.acts.ended", "Acts in two calls by their end", "outcome", outcome));
    }
    meters.gauge(
        "keywell.sign.in.progress", "Accepted requests without an outcome", inProgress::get);
  }

  private Counter admission(String admission) {
    return meters.counter(
        "keywell.sign.requests", "Valid requests by admission", "admission", admission);
  }

  private Counter failure(FailureReason reason) {
    return failures.computeIfAbsent(
        reason,
        type ->
            meters.counter(
                "keywell.sign.failures", "Failed requests by reason", "reason", type.label()));
  }

  private Ends ends(String outcome) {
    return new Ends(ends(outcome, "true"), ends(outcome, "false"), ends(outcome, "none"));
  }

  private Timed timed(String outcome) {
    return new Timed(
        ends(outcome),
        meters.timer("keywell.sign.process", "Requests without queueing", "outcome", outcome),
        meters.timer("keywell.sign.request", "Requests with queueing", "outcome", outcome));
  }

  // Not keywell.sign: the stages are timed under that name.
  private Counter ends(String outcome, String preGenerated) {
    return meters.counter(
        "keywell.sign.total", ENDS, "outcome", outcome, "pre_generated", preGenerated);
  }

  @Override
  public void refused(AdmissionLimit limit) {
    refused.increment();
    Objects.requireNonNull(limits.get(limit)).increment();
  }

  @Override
  public void repeated() {
    repeated.increment();
  }

  @Override
  public void unrecorded() {
    unrecorded.increment();
  }

  @Override
  public void accepted() {
    accepted.increment();
    inProgress.incrementAndGet();
  }

  @Override
  public void ended(UUID requestId, RequestTimes times, SignOutcome outcome) {
    long total = times.sinceReceipt().toNanos();
    Timed timed =
        switch (outcome) {
          case SignOutcome.Signed ok -> signed;
          case SignOutcome.Failed failure -> {
            failure(failure.reason()).increment();
            yield failed;
          }
          case SignOutcome.Expired late -> expired;
          case SignOutcome.Cancelled _, SignOutcome.Opened _ ->
              throw new IllegalArgumentException("an act is told of as one");
        };
    timed.ends().of(outcome).increment();
    timed.request().record(total, TimeUnit.NANOSECONDS);
    stages.record(times, total, timed.process());
    inProgress.decrementAndGet();
  }

  @Override
  public void actEnded(UUID actId, RequestTimes times, SignOutcome outcome) {
    switch (outcome) {
      case SignOutcome.Signed ok -> actEnded("signed", signed.ends(), ok);
      case SignOutcome.Failed failure -> {
        failure(failure.reason()).increment();
        actEnded("failed", failed.ends(), failure);
      }
      case SignOutcome.Expired late -> actEnded("expired", expired.ends(), late);
      case SignOutcome.Cancelled gaveUp -> actEnded("cancelled", cancelled, gaveUp);
      case SignOutcome.Opened open -> throw new IllegalArgumentException("it has not ended");
    }
    inProgress.decrementAndGet();
  }

  private void actEnded(String label, Ends ends, SignOutcome outcome) {
    ends.of(outcome).increment();
    Objects.requireNonNull(acts.get(label)).increment();
  }

  @Override
  public void abandoned() {
    inProgress.decrementAndGet();
  }

  @Override
  public void closedUnrecorded(int requests) {
    failed.ends().noKey().increment(requests);
    failure(FailureReason.RECORD_UNAVAILABLE).increment(requests);
  }

  @Override
  public void interrupted(int requests) {
    interrupted.increment(requests);
  }
}
