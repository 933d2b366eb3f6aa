package org.keywell.signing.sign;

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
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.caller.Role;
import org.keywell.signing.database.DatabaseException;
import org.keywell.signing.record.RecordException;
import org.keywell.signing.record.RecordQueueFullException;
import org.keywell.signing.record.RecordWriter;
import org.keywell.signing.record.SignRecord;
import org.keywell.signing.record.SignRecords;
import org.keywell.signing.request.Refusal;
import org.keywell.signing.request.Refusal.Reason;
import org.keywell.signing.request.RefusedException;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SignRequest;

/**
 * Admits requests, records them, queues them and waits for their answers. A request id is processed
 * once: its caller gets the first answer again; to any other caller the id is unknown.
 *
 * <p>Thread-safe; designed for many waiting virtual threads.
 */
public final class SignService {

  private final Admission admission;
  private final RecordWriter writer;
  private final SignRecords records;
  private final CallerReads reads;
  private final AnswerElsewhere elsewhere;
  private final SignListener listener;
  private final Duration answerGrace;
  private final Function<UUID, Optional<Long>> logIndex;
  private final ConcurrentMap<UUID, PendingRequest> inFlight = new ConcurrentHashMap<>();

  /**
   * @param listener notified of what happens to requests, except refusals, which admission reports
   * @param answerGrace how long beyond its deadline a caller waits for a device or database that
   *     does not answer
   * @param logIndex finds the log's entry about a request's end, if it has a signed place; asked
   *     only for what is read back, never on the way to a signature
   */
  public SignService(
      Admission admission,
      RecordWriter writer,
      SignRecords records,
      CallerReads reads,
      SignListener listener,
      Duration answerGrace,
      Function<UUID, Optional<Long>> logIndex) {
    this.admission = admission;
    this.writer = writer;
    this.records = records;
    this.reads = reads;
    this.elsewhere = new AnswerElsewhere(records, System::nanoTime, Thread::sleep);
    this.listener = listener;
    this.answerGrace = answerGrace;
    this.logIndex = logIndex;
  }

  /**
   * Signs a request, or returns the answer that its id got earlier.
   *
   * @return the record, durable
   * @throws RefusedException if the request is refused or there is no answer in time
   */
  public SignRecord sign(SignRequest request, RequestTimes times) throws InterruptedException {
    return sign(new PendingRequest(request, times));
  }

  /**
   * As {@link #sign(SignRequest, RequestTimes)}; for an act's first call, returns the record of the
   * open act.
   */
  public SignRecord sign(PendingRequest mine) throws InterruptedException {
    SignRequest request = mine.request();
    PendingRequest first = inFlight.putIfAbsent(request.requestId(), mine);
    if (first != null) {
      listener.repeated();
      mine.answer().cancel(false);
      return isSame(request, first.request().caller().name(), first.request().fingerprint())
          ? await(first, request)
          : repeat(
              request, patience(mine), () -> mismatch(request, first.request().caller().name()));
    }
    // Removed by the answer, not by this thread: a caller that gives up leaves the request running.
    CompletableFuture<SignOutcome> _ =
        mine.answer()
            .whenComplete((outcome, failure) -> {
              inFlight.remove(request.requestId(), mine);
              RequestLog.tell(listener, mine, outcome);
            });
    start(mine);
    return await(mine, request);
  }

  /**
   * Returns the record of an earlier request with the same id and content, without checking whether
   * this one could be signed.
   *
   * @throws RefusedException if there is none, or it is another's
   */
  public SignRecord repeat(SignRequest request, RequestTimes times) throws InterruptedException {
    listener.repeated();
    return repeat(
        request, patience(new PendingRequest(request, times)), () -> unknown(request.requestId()));
  }

  /**
   * Returns the record of an earlier request: one of this caller's, or anyone's if it may read all.
   *
   * @throws RefusedException if there is none; identical whether the id is unused or another caller
   *     has used it
   */
  public SignRecord find(UUID requestId, Caller caller) {
    return reads
        .read(
            caller,
            () ->
                (caller.has(Role.READ)
                        ? records.find(requestId)
                        : records.findOf(caller.name(), requestId))
                    .map(this::located))
        .orElseThrow(() -> unknown(requestId));
  }

  /** A record without its place is an answer, too: the log is no reason to refuse one. */
  private SignRecord located(SignRecord record) {
    if (!record.hasEnded()) {
      return record;
    }
    try {
      return record.at(logIndex.apply(record.requestId()).orElse(null));
    } catch (DatabaseException e) {
      return record;
    }
  }

  /** Starts the request; its answer completes in any case. */
  private void start(PendingRequest mine) throws InterruptedException {
    Admitted admitted;
    KeyKeeper keeper = mine.keeper();
    try {
      if (keeper != null) {
        keeper.reserve(mine);
      }
      admitted = admission.admit(mine);
    } catch (RefusedException e) {
      mine.answer().completeExceptionally(e);
      return;
    }
    boolean recording = false;
    try {
      CompletableFuture<Boolean> _ =
          writer
              .received(mine.request(), mine.times())
              .whenComplete((isNew, failure) -> recorded(admitted, isNew, failure));
      recording = true;
    } finally {
      if (!recording) {
        listener.unrecorded();
        withdraw(admitted, inProgress());
      }
    }
  }

  /**
   * Continues on the thread that made the intent durable: a caller that gave up, or was
   * interrupted, must not leave a recorded request that nobody works on.
   */
  private void recorded(Admitted admitted, @Nullable Boolean isNew, @Nullable Throwable failure) {
    if (failure != null) {
      listener.unrecorded();
      withdraw(admitted, failure);
    } else if (Boolean.TRUE.equals(isNew)) {
      admitted.request().times().markAccepted();
      listener.accepted();
      admitted.enqueue();
    } else {
      listener.repeated();
      withdraw(admitted, new RepeatedException());
    }
  }

  private static void withdraw(Admitted admitted, Throwable reason) {
    admitted.withdraw();
    admitted.request().answer().completeExceptionally(reason);
  }

  /** The request id is on record, with its answer; or the ticket is. */
  private static final class RepeatedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RepeatedException() {
      super("the request id, or the ticket, is on record", null, false, false);
    }
  }

  /** Waits for the answer to an act's second call, or to its end without one. */
  public SignRecord await(PendingRequest pending) throws InterruptedException {
    return await(pending, pending.request());
  }

  private SignRecord await(PendingRequest pending, SignRequest request)
      throws InterruptedException {
    try {
      SignOutcome outcome =
          pending.answer().get(patience(pending).toMillis(), TimeUnit.MILLISECONDS);
      return SignRecord.of(pending.request(), pending.times(), outcome);
    } catch (TimeoutException e) {
      throw inProgress();
    } catch (ExecutionException e) {
      return switch (e.getCause()) {
        case RepeatedException repeated ->
            repeat(request, patience(pending), () -> notOnRecord(request));
        case RefusedException problem -> throw problem;
        case RecordQueueFullException full ->
            throw recordUnavailable(String.valueOf(full.getMessage()));
        case RecordException unavailable ->
            throw recordUnavailable(
                "the database does not answer; nothing is released without a record");
        case null, default -> throw new IllegalStateException(e);
      };
    }
  }

  /** Returns how much longer its caller waits. */
  public Duration patience(PendingRequest pending) {
    return pending.request().deadline().minus(pending.times().sinceReceipt()).plus(answerGrace);
  }

  /**
   * Returns the earlier answer, or waits for it if another instance works on it. Only the record
   * shows what a request repeats: the one in flight may be a mistaken repeat itself.
   */
  private SignRecord repeat(
      SignRequest request, Duration patience, Supplier<RefusedException> ifNotOnRecord)
      throws InterruptedException {
    SignRecord first =
        reads
            .read(request.caller(), () -> records.find(request.requestId()).map(this::located))
            .orElseThrow(ifNotOnRecord);
    if (!isSame(request, first.caller(), first.fingerprint())) {
      throw mismatch(request, first.caller());
    }
    try {
      return elsewhere.await(first, request.caller(), patience);
    } catch (RecordException e) {
      throw CallerReads.unreadable(e);
    }
  }

  /** An erased record has no fingerprint left; whatever repeats its id is told so. */
  private static boolean isSame(SignRequest request, String caller, byte[] fingerprint) {
    return request.caller().name().equals(caller)
        && (fingerprint.length == 0 || MessageDigest.isEqual(request.fingerprint(), fingerprint));
  }

  /** Returns the refusal if the id belongs to a different request, of the given caller. */
  private static RefusedException mismatch(SignRequest request, String caller) {
    return request.caller().name().equals(caller)
        ? new RefusedException(
            Reason.REQUEST_ID_REUSED, "the id belongs to a request with different content")
        : unknown(request.requestId());
  }

  /** Returns the refusal of a request that was not recorded though its id is free. */
  private static RefusedException notOnRecord(SignRequest request) {
    return request.identity() == null
        ? inProgress()
        : new RefusedException(
            Reason.PROOF_REPLAYED,
            "the ticket has already served another request; it serves only one");
  }

  /** Returns the refusal of an id that belongs to none of the caller's requests. */
  public static RefusedException unknown(UUID requestId) {
    return new RefusedException(
        Reason.REQUEST_UNKNOWN, "no request of this caller has the id " + requestId);
  }

  private static RefusedException recordUnavailable(String detail) {
    return new RefusedException(
        new Refusal(Reason.RECORD_UNAVAILABLE, detail, Duration.ofSeconds(5)));
  }

  /** Returns the refusal of a request without an answer in time. */
  public static RefusedException inProgress() {
    return new RefusedException(
        new Refusal(
            Reason.REQUEST_IN_PROGRESS, "poll GET /sign/{requestId}", Duration.ofSeconds(1)));
  }
}
