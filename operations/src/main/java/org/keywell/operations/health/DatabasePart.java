package org.keywell.operations.health;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.keywell.signing.database.DatabaseClock;
import org.keywell.signing.database.InstanceLock;
import org.keywell.signing.database.TimelineGuard;
import org.keywell.signing.record.DatabaseFailure;
import org.keywell.signing.record.RecordWriter;

/**
 * The database: whether its server is not behind, this instance's lock is held, both agree on the
 * time, and records can be written.
 */
public final class DatabasePart implements ReadinessPart {

  /**
   * After a failed transaction, no request may come to show that the next one succeeds. So the
   * failure counts only for this long.
   */
  static final Duration FAILURE_COUNTS = Duration.ofSeconds(10);

  private final TimelineGuard guard;
  private final InstanceLock lock;
  private final DatabaseClock clock;
  private final RecordWriter writer;
  private final Moments moments;

  public DatabasePart(
      TimelineGuard guard,
      InstanceLock lock,
      DatabaseClock clock,
      RecordWriter writer,
      Moments moments) {
    this.guard = guard;
    this.lock = lock;
    this.clock = clock;
    this.writer = writer;
    this.moments = moments;
  }

  @Override
  public String name() {
    return "database";
  }

  @Override
  public PartState state() {
    Map<String, Object> details =
        Map.of("entriesWaiting", writer.waiting(), "unrecordedRequests", writer.unrecorded());
    Optional<TimelineGuard.Refusal> refusal = guard.refusal();
    if (refusal.isPresent()) {
      return PartState.notReady(
          refusal.get().why(), moments.at(refusal.get().sinceNanos()), details);
    }
    Optional<InstanceLock.Loss> loss = lock.loss();
    if (loss.isPresent()) {
      return PartState.notReady(
          "this instance's lock is not held: " + loss.get().cause(),
          moments.at(loss.get().sinceNanos()),
          details);
    }
    Optional<DatabaseClock.Doubt> doubt = clock.doubt();
    if (doubt.isPresent()) {
      return PartState.notReady(doubt.get().why(), moments.at(doubt.get().sinceNanos()), details);
    }
    Optional<DatabaseFailure> failure = writer.lastFailure();
    return failure
        .filter(last -> moments.ageNanos(last.atNanos()) < FAILURE_COUNTS.toNanos())
        .map(last ->
            PartState.notReady(
                "the last transaction failed: " + last.cause(),
                moments.at(last.atNanos()),
                details))
        .orElse(PartState.ready(details));
  }
}
