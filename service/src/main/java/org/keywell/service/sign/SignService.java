package org.keywell.service.sign;

import java.security.MessageDigest;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.keywell.keypool.generate.SigningActivity;
import org.keywell.service.problem.Problem;
import org.keywell.service.problem.ProblemException;
import org.keywell.service.problem.ProblemType;
import org.keywell.service.record.RecordException;
import org.keywell.service.record.RecordWriter;
import org.keywell.service.record.SignRecord;
import org.keywell.service.record.SignRecords;
import org.keywell.service.request.RequestTimes;
import org.keywell.service.request.SignOutcome;
import org.keywell.service.request.SignRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Admits requests, records them, queues them and waits for their answers. A request id is worked on
 * once: whoever repeats it gets the first one's answer.
 *
 * <p>Thread-safe; made for many waiting virtual threads.
 */
public final class SignService {

  private static final Logger log = LoggerFactory.getLogger(SignService.class);

  /** Beyond its deadline a request waits this long for a device or database that hangs. */
  private static final Duration ANSWER_GRACE = Duration.ofSeconds(10);

  private final Admission admission;
  private final SignRequestQueue queue;
  private final RecordWriter writer;
  private final SignRecords records;
  private final SigningActivity activity;
  private final AnswerFactory answers;
  private final ConcurrentMap<UUID, PendingRequest> inFlight = new ConcurrentHashMap<>();

  public SignService(
      Admission admission,
      SignRequestQueue queue,
      RecordWriter writer,
      SignRecords records,
      SigningActivity activity,
      AnswerFactory answers) {
    this.admission = admission;
    this.queue = queue;
    this.writer = writer;
    this.records = records;
    this.activity = activity;
    this.answers = answers;
  }

  /**
   * Signs a request, or finds the answer that its id got before.
   *
   * @return the record, durable
   * @throws ProblemException if the request is refused or there is no answer in time
   */
  public SignRecord sign(SignRequest request, RequestTimes times) throws InterruptedException {
    PendingRequest mine = new PendingRequest(request, times);
    PendingRequest first = inFlight.putIfAbsent(request.requestId(), mine);
    if (first != null) {
      return isSame(request, first.request().fingerprint())
          ? await(first, request)
          : repeat(request, SignService::reused);
    }
    // Removed by the answer, not by this thread: a caller that gives up leaves the request running.
    CompletableFuture<SignOutcome> _ =
        mine.answer()
            .whenComplete((outcome, failure) -> inFlight.remove(request.requestId(), mine));
    try {
      if (!start(mine)) {
        mine.answer().completeExceptionally(new OnRecordException());
      }
    } catch (InterruptedException e) {
      mine.answer().completeExceptionally(inProgress());
      throw e;
    } catch (RuntimeException e) {
      mine.answer().completeExceptionally(e);
      throw e;
    }
    return await(mine, request);
  }

  /** The record of an earlier request, if there is one. */
  public Optional<SignRecord> find(UUID requestId) {
    try {
      return records.find(requestId);
    } catch (RecordException e) {
      throw recordUnavailable(e);
    }
  }

  /** Returns false if the id is on record already. */
  private boolean start(PendingRequest mine) throws InterruptedException {
    admission.admit(mine.request());
    activity.began();
    boolean queued = false;
    try {
      if (join(writer.received(mine.request(), mine.times()))) {
        queue.enqueue(mine);
        queued = true;
      }
      return queued;
    } finally {
      if (!queued) {
        queue.release();
        activity.ended();
      }
    }
  }

  /** Waits for the answer to {@code pending}, which {@code request} is or repeats. */
  private SignRecord await(PendingRequest pending, SignRequest request)
      throws InterruptedException {
    Duration patience =
        pending.request().deadline().minus(pending.times().sinceReceipt()).plus(ANSWER_GRACE);
    try {
      return answers.record(
          pending, pending.answer().get(patience.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException e) {
      throw inProgress();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof OnRecordException) {
        return repeat(request, SignService::inProgress);
      }
      throw asProblem(e);
    }
  }

  /** Ends a pending request whose id turned out to be on record: whoever waits reads that. */
  private static final class OnRecordException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OnRecordException() {
      super("the request is on record", null, false, false);
    }
  }

  /**
   * The record decides whether the request repeats it: what is in flight under the same id may be a
   * mistaken repeat itself.
   */
  private SignRecord repeat(SignRequest request, Supplier<ProblemException> ifNotOnRecord) {
    SignRecord first = find(request.requestId()).orElseThrow(ifNotOnRecord);
    if (!isSame(request, first.fingerprint())) {
      throw reused();
    }
    return first;
  }

  private static boolean join(CompletableFuture<Boolean> durable) throws InterruptedException {
    try {
      return durable.get();
    } catch (ExecutionException e) {
      throw asProblem(e);
    }
  }

  private static boolean isSame(SignRequest request, byte[] fingerprint) {
    return MessageDigest.isEqual(request.fingerprint(), fingerprint);
  }

  private static ProblemException reused() {
    return new ProblemException(
        ProblemType.REQUEST_ID_REUSED, "requestId belongs to a request with other content");
  }

  private static ProblemException asProblem(ExecutionException e) {
    return switch (e.getCause()) {
      case ProblemException problem -> problem;
      case RecordException unavailable -> recordUnavailable(unavailable);
      case null, default -> throw new IllegalStateException(e);
    };
  }

  private static ProblemException recordUnavailable(RecordException cause) {
    log.error("a request is refused for want of a record: {}", cause.getMessage());
    return new ProblemException(
        new Problem(
            ProblemType.RECORD_UNAVAILABLE,
            "the database does not answer; nothing is released without a record",
            Duration.ofSeconds(5)));
  }

  static ProblemException inProgress() {
    return new ProblemException(
        new Problem(
            ProblemType.REQUEST_IN_PROGRESS,
            "ask again with GET /sign/{requestId}",
            Duration.ofSeconds(1)));
  }
}
