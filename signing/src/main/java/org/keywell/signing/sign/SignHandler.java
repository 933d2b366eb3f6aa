package org.keywell.signing.sign;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.keywell.signing.record.RecordWriter;
import org.keywell.signing.request.FailureReason;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.RequestTimes.Stage;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SignRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes requests from the queue in order and processes them, one at a time (thesis section 3.7).
 * Leaves the outcome to the record writer and continues; the caller is answered when it is durable.
 * Not thread-safe, except {@link #atWork}.
 */
public final class SignHandler {

  /** Which requests a handler takes. */
  public enum Takes {
    /** Those with a key, and those that end without one. */
    WITH_KEY,
    /** Those that need a key generated. */
    WITHOUT_KEY
  }

  private static final Logger log = LoggerFactory.getLogger(SignHandler.class);

  /** How soon a handler checks again whether records can be written. */
  private static final Duration LOOK_AGAIN = Duration.ofMillis(20);

  private final Takes takes;
  private final SignRequestQueue queue;
  private final SigningCycle cycle;
  private final RecordWriter records;
  private final ServiceTime serviceTime;
  private final Function<PendingRequest, @Nullable Start> starts;
  private volatile @Nullable Admitted atWork;

  public SignHandler(
      Takes takes,
      SignRequestQueue queue,
      SigningCycle cycle,
      RecordWriter records,
      ServiceTime serviceTime) {
    this.takes = takes;
    this.queue = queue;
    this.cycle = cycle;
    this.records = records;
    this.serviceTime = serviceTime;
    this.starts = this::start;
  }

  /** Returns the request at work, which may have been ended meanwhile; null if there is none. */
  @Nullable Admitted atWork() {
    return atWork;
  }

  /**
   * Processes the next request, if one comes in time. While nothing can be recorded, no key is
   * spent: only requests whose deadline has passed are taken.
   *
   * @return whether there was one
   */
  public boolean handleNext(Duration maxWait) throws InterruptedException {
    SignRequestQueue.@Nullable Turn turn =
        records.isStuck()
            ? overdue(maxWait)
            : switch (takes) {
              case WITH_KEY -> queue.poll(maxWait.toNanos(), starts);
              case WITHOUT_KEY -> queue.pollForMaking(maxWait.toNanos(), cycle::way);
            };
    if (turn == null) {
      return false;
    }
    Admitted admitted = turn.admitted();
    PendingRequest pending = admitted.request();
    RequestTimes times = pending.thisCall();
    times.mark(Stage.REQUEST_START_TO_PROCESS);
    Duration start = times.sinceReceipt();
    SignOutcome outcome;
    Duration work;
    boolean ended = false;
    atWork = admitted;
    try {
      outcome = runCycle(pending, turn.start());
    } finally {
      atWork = null;
      ended = pending.end() != PendingRequest.Work.ENDED;
      work = times.sinceReceipt().minus(start);
      // A caller does not pay for a device that hangs.
      queue.done(turn, ended ? work.toNanos() : turn.chargedNanos());
      if (ended) {
        admitted.settle();
      }
    }
    if (!ended) {
      log.atWarn()
          .addKeyValue(SignRequest.ID_IN_LOGS, pending.request().requestId())
          .log(
              "request {} had been ended when the HSM answered; its outcome is discarded",
              pending.request().requestId());
      boolean keyIsLive = outcome instanceof SignOutcome.Opened;
      cycle.endedLate(pending, keyIsLive ? cycle.destroy(pending) : outcome.keyUse());
      return true;
    }
    if (!(outcome instanceof SignOutcome.Expired)) {
      switch (takes) {
        case WITH_KEY -> serviceTime.add(pending.request().keySpec(), work, turn.keyWait());
        case WITHOUT_KEY -> serviceTime.addMade(pending.request().keySpec(), work);
      }
    }
    if (outcome instanceof SignOutcome.Opened opened) {
      Objects.requireNonNull(pending.keeper()).keep(pending, opened);
      return true;
    }
    pending.times().mark(Stage.REQUEST_FINISHED);
    records.ended(pending.request(), pending.times(), outcome, pending.answer());
    return true;
  }

  private @Nullable Start start(PendingRequest pending) {
    try {
      return cycle.start(pending);
    } catch (RuntimeException | Error e) {
      return defect(e, pending);
    }
  }

  private SignRequestQueue.@Nullable Turn overdue(Duration maxWait) throws InterruptedException {
    SignRequestQueue.Turn overdue = queue.pollOverdue();
    if (overdue == null) {
      Thread.sleep(maxWait.compareTo(LOOK_AGAIN) < 0 ? maxWait : LOOK_AGAIN);
    }
    return overdue;
  }

  private SignOutcome runCycle(PendingRequest pending, Start start) {
    try {
      return cycle.run(pending, start);
    } catch (RuntimeException | Error e) {
      Start.Refused defect = defect(e, pending);
      return new SignOutcome.Failed(defect.reason(), defect.detail(), null);
    }
  }

  /** A defect must not end the thread that all later requests wait for. */
  private static Start.Refused defect(Throwable e, PendingRequest pending) {
    log.atError()
        .setCause(e)
        .addKeyValue(SignRequest.ID_IN_LOGS, pending.request().requestId())
        .log("request {} failed unexpectedly", pending.request().requestId());
    return new Start.Refused(FailureReason.INTERNAL, "see the service's log");
  }
}
