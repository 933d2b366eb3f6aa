package org.keywell.service.record;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.keywell.service.request.RequestTimes;
import org.keywell.service.request.SignOutcome;
import org.keywell.service.request.SignRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes intents and outcomes durable by group commit: whatever has gathered while one transaction
 * was being committed goes into the next, so that the cost of a commit is shared by all who wait.
 *
 * <p>Thread-safe. One thread of its own writes, and between two commits does nothing else; another
 * one completes the futures and tells the listeners ({@link RecordAnswers}).
 */
public final class RecordWriter {

  private static final Logger log = LoggerFactory.getLogger(RecordWriter.class);

  /** Bounds a transaction; beyond this a longer batch saves next to nothing. */
  private static final int MAX_BATCH = 256;

  /**
   * How long an intent waits for room before it is refused; an outcome waits as long as it takes.
   */
  private static final Duration MAX_WAIT_FOR_ROOM = Duration.ofSeconds(5);

  private final RecordTransaction transaction;
  private final RecordAnswers answers;
  private final GroupCommit group;
  private final int queueLimit;
  private final BlockingQueue<Entry> waiting;
  private final Thread thread = Thread.ofPlatform().name("keywell-records").unstarted(this::loop);

  private volatile boolean closing;
  private volatile boolean ended;

  /**
   * @param transaction commits what waits, and nobody else's
   * @param queueLimit entries that may wait for a transaction
   * @param listener is told of transactions
   * @param closedUnrecorded is told how many requests a transaction closed as failed that stood as
   *     received, and that nobody worked on; it must not block or throw
   */
  public RecordWriter(
      RecordTransaction transaction,
      int queueLimit,
      RecordListener listener,
      IntConsumer closedUnrecorded) {
    this.transaction = transaction;
    this.queueLimit = queueLimit;
    this.waiting = new ArrayBlockingQueue<>(queueLimit);
    this.answers = new RecordAnswers(listener, closedUnrecorded);
    this.group = new GroupCommit(transaction, answers);
  }

  public void start() {
    thread.start();
  }

  /** How many entries wait for a transaction. */
  public int waiting() {
    return waiting.size();
  }

  /** How many entries may wait. */
  public int limit() {
    return queueLimit;
  }

  /** How many requests may stand as received that nobody works on. */
  public int unrecorded() {
    return group.unrecorded();
  }

  /** The last failure of the database, if no transaction was committed since. */
  public Optional<DatabaseFailure> lastFailure() {
    return transaction.lastFailure();
  }

  /** Whether the thread has ended although nobody asked it to. */
  public boolean isBroken() {
    return ended && !closing;
  }

  /**
   * Records that a request was received.
   *
   * @return completes when that is durable: true if its id is new, false if it was on record
   *     before; fails with {@link RecordException}, or with {@link RecordQueueFullException}
   */
  public CompletableFuture<Boolean> received(SignRequest request, RequestTimes times)
      throws InterruptedException {
    CompletableFuture<Boolean> durable = new CompletableFuture<>();
    Entry intent = new Entry.Intent(request, times, durable);
    if (!waiting.offer(intent, MAX_WAIT_FOR_ROOM.toNanos(), TimeUnit.NANOSECONDS)) {
      durable.completeExceptionally(new RecordQueueFullException(queueLimit));
    }
    failIfEnded();
    return durable;
  }

  /**
   * Records how a request ended.
   *
   * @param durable is completed when that is durable, with the outcome on record: it differs from
   *     the given one if the key turns out to have served another request; fails with {@link
   *     RecordException}
   */
  public void ended(
      SignRequest request,
      RequestTimes times,
      SignOutcome outcome,
      CompletableFuture<SignOutcome> durable)
      throws InterruptedException {
    waiting.put(new Entry.Outcome(request, times, outcome, durable));
    failIfEnded();
  }

  /**
   * Ends after all that waits has been written and told. To be called when no more is going to
   * come.
   */
  public void finish() throws InterruptedException {
    closing = true;
    if (thread.isAlive()) {
      thread.join();
    }
    answers.finish();
  }

  private void loop() {
    List<Entry> batch = new ArrayList<>(MAX_BATCH);
    try {
      while (!closing || !waiting.isEmpty()) {
        Entry first = waiting.poll(50, TimeUnit.MILLISECONDS);
        if (first != null) {
          batch.add(first);
          waiting.drainTo(batch, MAX_BATCH - 1);
          group.write(batch);
          batch.clear();
        }
      }
    } catch (InterruptedException e) {
      log.debug("the record writer was interrupted and ends");
    } finally {
      ended = true;
      failIfEnded();
    }
  }

  /** Nothing is written any more: whoever still comes learns it instead of waiting for ever. */
  private void failIfEnded() {
    if (!ended) {
      return;
    }
    for (Entry entry = waiting.poll(); entry != null; entry = waiting.poll()) {
      RecordAnswers.fail(entry, new RecordException("the record writer has ended"));
    }
  }
}
