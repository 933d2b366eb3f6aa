package org.keywell.signing.record;

import java.math.BigInteger;
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
import org.keywell.signing.request.IssuedCertificate;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SignRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes intents and outcomes durable by group commit: entries that arrive while one transaction is
 * being committed go into the next, so that all of them share the cost of a commit.
 *
 * <p>Thread-safe. One thread writes and does nothing else between two commits; another one
 * completes the futures and notifies the listeners ({@link RecordAnswers}).
 */
public final class RecordWriter {

  private static final Logger log = LoggerFactory.getLogger(RecordWriter.class);

  /** Bounds a transaction; a longer batch saves next to nothing. */
  private static final int MAX_BATCH = 256;

  /** How long an intent or an act's digests wait for room; an outcome waits without limit. */
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
   * @param transaction used only by this writer
   * @param queueLimit entries that may wait for a transaction
   * @param outcomePatience how long an outcome is retried while the database is away; zero: not at
   *     all
   * @param nanoClock elapsed time, as {@link System#nanoTime}
   * @param listener notified of transactions
   * @param closedUnrecorded receives how many unfinished requests a transaction closed as failed
   *     that nobody worked on; must not block or throw
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

  /** Returns the number of waiting entries. */
  public int waiting() {
    return waiting.size();
  }

  /** Returns how many entries may wait. */
  public int limit() {
    return queueLimit;
  }

  /** Returns how many outcomes wait for the database to return. */
  public int held() {
    return group.held();
  }

  /**
   * Whether nothing becomes durable at present: the database is away, or a transaction takes long.
   * It recovers on its own. Called for each request: no I/O, no allocation.
   */
  public boolean isStuck() {
    return group.isStuck();
  }

  /** Returns how many abandoned requests may be on record as unfinished. */
  public int unrecorded() {
    return group.unrecorded();
  }

  /** Returns the last database failure if no transaction was committed since. */
  public Optional<DatabaseFailure> lastFailure() {
    return transaction.lastFailure();
  }

  /** Whether the thread ended without being asked to. */
  public boolean isBroken() {
    return ended && !closing;
  }

  /**
   * Records that a request was received.
   *
   * @return completes when that is durable: true if its id is new, false if it was on record before
   *     or its ticket has served another request; fails with {@link RecordException} or {@link
   *     RecordQueueFullException}
   */
  public CompletableFuture<Boolean> received(SignRequest request, RequestTimes times)
      throws InterruptedException {
    CompletableFuture<Boolean> durable = new CompletableFuture<>();
    offer(new Entry.Intent(request, times, durable));
    return durable;
  }

  /**
   * Records the digests of an open act.
   *
   * @param request contains them
   * @param issued the act's certificate: a revocation that was committed before this call prevents
   *     them from being recorded
   * @param at when they came
   * @return completes when that is durable, with how the act stood; fails as {@link #received}
   *     does, and then they may or may not be on record
   */
  public CompletableFuture<ActStanding> digests(
      SignRequest request, IssuedCertificate issued, Instant at) throws InterruptedException {
    CompletableFuture<ActStanding> durable = new CompletableFuture<>();
    offer(
        new Entry.Digests(
            request, new BigInteger(issued.serial(), 16), issued.list(), at, durable));
    return durable;
  }

  private void offer(Entry entry) throws InterruptedException {
    if (!waiting.offer(entry, MAX_WAIT_FOR_ROOM.toNanos(), TimeUnit.NANOSECONDS)) {
      entry.durable().completeExceptionally(new RecordQueueFullException(queueLimit));
    }
    failIfEnded();
  }

  /**
   * Records how a request ended, or that an act is open. Retries for a while if the database is
   * away.
   *
   * @param durable completes when that is durable, with the outcome on record: it differs from the
   *     given one if the key turns out to have served another request; fails with {@link
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
   * Ends once all waiting entries are written and reported, or after a while: then they fail. To be
   * called when no more will come.
   *
   * @param limit how long to wait for the database, and again for reporting
   * @return whether all was written and reported
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
        // While the database is away, an empty batch tests for its return.
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

  /** Collects the next transaction's entries; none if none arrive for a moment. */
  private void gather(List<Entry> batch) throws InterruptedException {
    // A broken connection is replaced at once.
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

  /** Fails entries that arrive after the end, so that nobody waits forever. */
  private void failIfEnded() {
    if (!ended) {
      return;
    }
    for (Entry entry = waiting.poll(); entry != null; entry = waiting.poll()) {
      RecordAnswers.fail(entry, new RecordException("the record writer has ended"));
    }
  }
}
