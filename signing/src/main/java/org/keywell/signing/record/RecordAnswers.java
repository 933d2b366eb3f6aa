package org.keywell.signing.record;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.keywell.signing.request.SignRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the results of entries to listeners, the log and waiting callers, in the order of their
 * transactions. Runs separately, so that the next transaction does not wait for them.
 */
final class RecordAnswers {

  private static final Logger log = LoggerFactory.getLogger(RecordAnswers.class);

  /** Bounds the transactions not reported yet; beyond this the record writer waits. */
  private static final int MAX_UNTOLD = 64;

  private final RecordListener listener;
  private final IntConsumer closedUnrecorded;

  // Unlike a bare thread, it survives an Error: later answers are reported.
  private final ThreadPoolExecutor thread =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(MAX_UNTOLD),
          Thread.ofPlatform().name("keywell-answers").factory(),
          RecordAnswers::awaitRoom);

  /**
   * @param closedUnrecorded receives how many unfinished requests a transaction closed that nobody
   *     worked on
   */
  RecordAnswers(RecordListener listener, IntConsumer closedUnrecorded) {
    this.listener = listener;
    this.closedUnrecorded = closedUnrecorded;
  }

  /**
   * Ends once all is reported. To be called when no more will come.
   *
   * @return whether all was reported in time
   */
  boolean finish(Duration limit) throws InterruptedException {
    thread.shutdown();
    boolean told = thread.awaitTermination(limit.toNanos(), TimeUnit.NANOSECONDS);
    if (!told) {
      log.error("what became of requests has not been told in time");
    }
    return told;
  }

  private static void awaitRoom(Runnable answer, ThreadPoolExecutor thread) {
    try {
      if (!thread.isShutdown()) {
        thread.getQueue().put(answer);
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    answer.run();
  }

  void committed(Batch batch, RecordTransaction.Written written, long nanos) {
    thread.execute(() -> {
      listener.committed(batch.size(), nanos);
      if (written.closed() > 0) {
        closedUnrecorded.accept(written.closed());
      }
      for (int i = 0; i < batch.intents().size(); i++) {
        batch.intents().get(i).durable().complete(written.isNew()[i]);
      }
      for (int i = 0; i < batch.digests().size(); i++) {
        batch.digests().get(i).durable().complete(written.standings().get(i));
      }
      for (int i = 0; i < batch.outcomes().size(); i++) {
        settle(batch.outcomes().get(i), written.onRecord()[i]);
      }
    });
  }

  /** Reports a failed transaction; its entries are reported separately. */
  void failed(Batch batch, long nanos) {
    thread.execute(() -> listener.failed(batch.size(), nanos));
  }

  private static void settle(Entry.Outcome entry, boolean onRecord) {
    if (onRecord) {
      entry.durable().complete(entry.outcome());
      return;
    }
    log.atError()
        .addKeyValue(SignRequest.ID_IN_LOGS, entry.requestId())
        .log(
            "request {} was closed by another before its outcome came; nothing is released",
            entry.requestId());
    fail(entry, new RecordException("the request was closed by another"));
  }

  /** Only logs; its outcome is recorded separately. */
  void keyReused(Entry.Outcome entry) {
    thread.execute(() ->
        log.atError()
            .addKeyValue(SignRequest.ID_IN_LOGS, entry.requestId())
            .log(
                "request {}, key {}: its key has served another request",
                entry.requestId(),
                entry.keyUse().orElseThrow().label()));
  }

  void refused(Entry entry, RecordTransactionException cause) {
    thread.execute(() -> {
      log.atError()
          .addKeyValue(SignRequest.ID_IN_LOGS, entry.requestId())
          .log("request {} cannot be recorded: {}", entry.requestId(), cause.getMessage());
      fail(entry, new RecordException("the database refuses the record", cause));
    });
  }

  /** Logs that nothing becomes durable. */
  void away(int held, RecordTransactionException cause) {
    thread.execute(() ->
        log.error(
            "the database takes no records: {}; until it does, no request is signed and {} outcomes wait",
            cause.getMessage(),
            held));
  }

  /** Logs that the database is back. */
  void back(Duration after) {
    thread.execute(
        () -> log.info("the database takes records again, after {} ms", after.toMillis()));
  }

  void lost(List<Entry> entries, RecordTransactionException cause) {
    thread.execute(() -> {
      log.error(
          "{} records are not written, the database is away: {}",
          entries.size(),
          cause.getMessage());
      RecordException failure = new RecordException("the database is away", cause);
      entries.forEach(entry -> fail(entry, failure));
    });
  }

  /** Fails the entry at once; logs its key's destruction, which is not on record. */
  static void fail(Entry entry, RecordException failure) {
    if (entry instanceof Entry.Outcome outcome) {
      outcome
          .keyUse()
          .ifPresent(use ->
              log.atError()
                  .addKeyValue(SignRequest.ID_IN_LOGS, entry.requestId())
                  .log(
                      "request {}: destroying its key ({}) returned {}; that is not on record",
                      entry.requestId(),
                      use.label(),
                      use.destruction().returnValue()));
    }
    entry.durable().completeExceptionally(failure);
  }
}
