package org.keywell.service.record;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.keywell.service.request.SignRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells what became of entries, in the order of their transactions: listeners, the log, and those
 * who wait. On a thread of its own, so that the next transaction does not wait for them.
 */
final class RecordAnswers {

  private static final Logger log = LoggerFactory.getLogger(RecordAnswers.class);

  /** Bounds the transactions that are not told yet; beyond this the record writer waits. */
  private static final int MAX_UNTOLD = 64;

  private final RecordListener listener;
  private final IntConsumer closedUnrecorded;

  // Unlike a bare thread it outlives an Error: the answers that follow are told.
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
   * @param closedUnrecorded is told how many requests a transaction closed that stood as received,
   *     and that nobody worked on
   */
  RecordAnswers(RecordListener listener, IntConsumer closedUnrecorded) {
    this.listener = listener;
    this.closedUnrecorded = closedUnrecorded;
  }

  /**
   * Ends after all is told. To be called when no more is going to come.
   *
   * @return whether all was told in time
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
        batch.digests().get(i).durable().complete(written.stoodOpen()[i]);
      }
      for (int i = 0; i < batch.outcomes().size(); i++) {
        settle(batch.outcomes().get(i), written.onRecord()[i]);
      }
    });
  }

  /** The transaction failed; what becomes of its entries is told apart. */
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

  /** Its outcome is put on record otherwise. */
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

  /** From now on nothing becomes durable. */
  void away(int held, RecordTransactionException cause) {
    thread.execute(() ->
        log.error(
            "the database takes no records: {}; until it does, no request is signed and {} outcomes wait",
            cause.getMessage(),
            held));
  }

  /** It does again. */
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

  /** Completes exceptionally, now; the end of a key is told in the log, if not on record. */
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
