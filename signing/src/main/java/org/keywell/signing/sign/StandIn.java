package org.keywell.signing.sign;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.KeyLease;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.signing.record.RecordWriter;
import org.keywell.signing.request.FailureReason;
import org.keywell.signing.request.KeyUse;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.RequestTimes.Stage;
import org.keywell.signing.request.SignOutcome;

/**
 * Ends requests in place of handlers that do not return from the device, so that callers get an
 * answer and keys are accounted for. Never calls the device.
 *
 * <p>Thread-safe.
 */
public final class StandIn {

  private final List<SignHandler> handlers;
  private final List<SignHandler> all;
  private final SignRequestQueue queue;
  private final RecordWriter records;
  private final KeyKeeper keeper;

  public StandIn(
      HandlerThreads threads, SignRequestQueue queue, RecordWriter records, KeyKeeper keeper) {
    this.keeper = keeper;
    this.handlers = threads.handlers();
    this.all = threads.all();
    this.queue = queue;
    this.records = records;
  }

  /**
   * Whether every sign handler has been at work with a key for at least this long: none is left.
   */
  public boolean noHandlerIsLeft(Duration atLeast) {
    return handlers.stream()
        .allMatch(handler -> isAtWork(handler.atWork(), Stage.REQUEST_GOT_KEY_PAIR, atLeast));
  }

  /** Returns the longest time a handler has been at work with its key; zero if none is. */
  public Duration longestWithKey() {
    Duration longest = Duration.ZERO;
    for (SignHandler handler : all) {
      Admitted atWork = handler.atWork();
      Duration time =
          atWork == null ? Duration.ZERO : since(atWork.request(), Stage.REQUEST_GOT_KEY_PAIR);
      longest = time.compareTo(longest) > 0 ? time : longest;
    }
    return longest;
  }

  /** Fails requests that have been at work with a key for this long. Returns how many. */
  public int failWithKey(Duration atLeast, FailureReason reason, String detail)
      throws InterruptedException {
    return failSince(Stage.REQUEST_GOT_KEY_PAIR, atLeast, reason, detail)
        + keeper.endWithoutDevice(atLeast);
  }

  /** Fails requests that have been at work for this long. Returns how many. */
  public int failAtWork(Duration atLeast, FailureReason reason, String detail)
      throws InterruptedException {
    return failSince(Stage.REQUEST_START_TO_PROCESS, atLeast, reason, detail);
  }

  /** As {@link #failAtWork}, but only past their deadline. */
  public int failPastDeadline(Duration atLeast, FailureReason reason, String detail)
      throws InterruptedException {
    return fail(
        atWork ->
            isAtWork(atWork, Stage.REQUEST_START_TO_PROCESS, atLeast)
                && !atWork.request().left().isPositive(),
        reason,
        detail);
  }

  private int failSince(Stage stage, Duration atLeast, FailureReason reason, String detail)
      throws InterruptedException {
    return fail(atWork -> isAtWork(atWork, stage, atLeast), reason, detail);
  }

  private int fail(Predicate<Admitted> which, FailureReason reason, String detail)
      throws InterruptedException {
    int failed = 0;
    for (SignHandler handler : all) {
      Admitted atWork = handler.atWork();
      if (atWork != null && which.test(atWork)) {
        failed += fail(atWork, reason, detail) ? 1 : 0;
      }
    }
    return failed;
  }

  private static boolean isAtWork(@Nullable Admitted atWork, Stage stage, Duration atLeast) {
    return atWork != null
        && atWork.request().thisCall().at(stage).isPresent()
        && since(atWork.request(), stage).compareTo(atLeast) >= 0;
  }

  /** Fails the requests in the queue. Returns how many. */
  public int failQueued(FailureReason reason, String detail) throws InterruptedException {
    int failed = 0;
    for (Admitted next = queue.pollAny(); next != null; next = queue.pollAny()) {
      next.request().thisCall().mark(Stage.REQUEST_START_TO_PROCESS);
      failed += fail(next, reason, detail) ? 1 : 0;
      if (next.request().issued() != null) {
        // An act with a live key that no handler will process.
        keeper.destroy(next.request());
      }
    }
    return failed;
  }

  /** Fails the requests at work and in the queue. Returns how many. */
  public int failAll(FailureReason reason, String detail) throws InterruptedException {
    return failQueued(reason, detail)
        + failAtWork(Duration.ZERO, reason, detail)
        + keeper.endWithoutDevice(Duration.ZERO);
  }

  /** Returns zero if the stage was not reached. */
  private static Duration since(PendingRequest pending, Stage stage) {
    RequestTimes times = pending.thisCall();
    return times.elapsedNanos(stage).stream()
        .mapToObj(nanos -> times.sinceReceipt().minusNanos(nanos))
        .findAny()
        .orElse(Duration.ZERO);
  }

  private boolean fail(Admitted admitted, FailureReason reason, String detail)
      throws InterruptedException {
    PendingRequest pending = admitted.request();
    PendingRequest.Work work = pending.end();
    if (work == PendingRequest.Work.ENDED) {
      return false;
    }
    @Nullable KeyUse use = work == PendingRequest.Work.HAS_KEY ? notDestroyed(pending.key()) : null;
    admitted.settle();
    pending.times().mark(Stage.REQUEST_FINISHED);
    records.ended(
        pending.request(),
        pending.times(),
        new SignOutcome.Failed(reason, detail, use, pending.issued()),
        pending.answer());
    return true;
  }

  /** Names a spent key, which the handler destroys if it returns. */
  private static KeyUse notDestroyed(KeyLease lease) {
    return KeyUse.of(lease.stored().orElse(null), lease.publicKey(), Destruction.NOT_CALLED);
  }
}
