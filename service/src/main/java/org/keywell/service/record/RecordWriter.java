package org.keywell.service.record;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
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

  /** Between two attempts while the database is away; an attempt may take seconds. */
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final RecordTransaction transaction;
  private final RecordAnswers answers;
  private final GroupCommit group;
  private final int queueLimit;
  private final Duration outcomePatience;
  private final LongSupplier nanoClock;
  private final BlockingQueue<Entry> waiting;
  private final Thread thread = Thread.ofPlatform().name("keywell-records").unstarted(this::loop);

  private volatile boolean closing;
  private volatile boolean ended;

  /**
   * @param transaction commits what waits, and nobody else's
   * @param queueLimit entries that may wait for a transaction
   * @param outcomePatience how long an outcome is tried again while the database is away; zero: not
   *     at all
   * @param nanoClock elapsed time, as {@link System#nanoTime}
   * @param listener is told of transactions
   * @param closedUnrecorded is told how many requests a transaction closed as failed that stood as
   *     received, and that nobody worked on; it must not block or throw
   */
  public RecordWriter(
      RecordTransaction transaction,
      int queueLimit,
      Duration outcomePatience,
      LongSupplier nanoClock,
      RecordListener listener,
      IntConsumer closedUnrecorded) {
    this.transaction = transaction;
    this.queueLimit = queueLimit;
    this.outcomePatience = outcomePatience;
    this.nanoClock = nanoClock;
    this.waiting = new ArrayBlockingQueue<>(queueLimit);
    this.answers = new RecordAnswers(listener, closedUnrecorded);
    this.group = new GroupCommit(transaction, answers, nanoClock);
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

  /** How many outcomes wait for the database to come back. */
  public int held() {
    return group.held();
  }

  /**
   * Whether nothing becomes durable at present: the database is away, or a transaction takes long.
   * It goes on by itself. For each request: asks nobody, allocates nothing.
   */
  public boolean isStuck() {
    return group.isStuck();
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
   *     before, or its ticket has served another request; fails with {@link RecordException}, or
   *     with {@link RecordQueueFullException}
   */
  public CompletableFuture<Boolean> received(SignRequest request, RequestTimes times)
      throws InterruptedException {
    CompletableFuture<Boolean> durable = new CompletableFuture<>();
    offer(new Entry.Intent(request, times, durable));
    return durable;
  }

  /**
   * Records the digests of an act that stands open.
   *
   * @param request has them
   * @param at when they came
   * @return completes when that is durable: true if the act stood open; fails as {@link #received}
   *     does, and then they may be on record or not
   */
  public CompletableFuture<Boolean> digests(SignRequest request, Instant at)
      throws InterruptedException {
    CompletableFuture<Boolean> durable = new CompletableFuture<>();
    offer(new Entry.Digests(request, at, durable));
    return durable;
  }

  private void offer(Entry entry) throws InterruptedException {
    if (!waiting.offer(entry, MAX_WAIT_FOR_ROOM.toNanos(), TimeUnit.NANOSECONDS)) {
      entry.durable().completeExceptionally(new RecordQueueFullException(queueLimit));
    }
    failIfEnded();
  }

  /**
   * Records how a request ended, or that an act stands open. While the database is away, that is
   * tried again for a while.
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
    long giveUpNanos = nanoClock.getAsLong() + outcomePatience.toNanos();
    waiting.put(new Entry.Outcome(request, times, outcome, durable, giveUpNanos));
    failIfEnded();
  }

  /**
   * Ends after all that waits has been written and told, or after a while: then what waits fails.
   * To be called when no more is going to come.
   *
   * @param limit how long to wait for the database, and then once more for those who are told
   * @return whether all was written and told
   */
  public boolean finish(Duration limit) throws InterruptedException {
    closing = true;
    if (!thread.isAlive() || thread.join(limit)) {
      return answers.finish(limit);
    }
    log.error("records that wait for the database are given up; it has not answered in time");
    thread.interrupt();
    return false;
  }

  private void loop() {
    List<Entry> batch = new ArrayList<>(MAX_BATCH);
    try {
      while (!closing || !waiting.isEmpty() || group.held() > 0) {
        gather(batch);
        // While the database is away an empty batch asks whether it is back.
        if (!batch.isEmpty() || group.isAway()) {
          group.write(batch);
          batch.clear();
        }
      }
    } catch (InterruptedException e) {
      log.debug("the record writer was interrupted and ends");
    } finally {
      ended = true;
      group.giveUp();
      failIfEnded();
    }
  }

  /** What goes into the next transaction; nothing if there was nothing for a moment. */
  private void gather(List<Entry> batch) throws InterruptedException {
    // One connection that breaks is replaced at once.
    if (group.attempts() > 1) {
      TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
    }
    group.takeHeld(batch, MAX_BATCH);
    if (batch.isEmpty() && !group.isAway()) {
      Entry first = waiting.poll(50, TimeUnit.MILLISECONDS);
      if (first == null) {
        return;
      }
      batch.add(first);
    }
    waiting.drainTo(batch, MAX_BATCH - batch.size());
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
