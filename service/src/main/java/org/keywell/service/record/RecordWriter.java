package org.keywell.service.record;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.keywell.service.request.KeyUse;
import org.keywell.service.request.RequestTimes;
import org.keywell.service.request.SignOutcome;
import org.keywell.service.request.SignRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes intents and outcomes durable by group commit: whatever has gathered while one transaction
 * was being committed goes into the next, so that the cost of a commit is shared by all who wait.
 *
 * <p>Thread-safe. One thread of its own writes.
 */
public final class RecordWriter {

  private static final Logger log = LoggerFactory.getLogger(RecordWriter.class);

  /** Bounds a transaction; beyond this a longer batch saves next to nothing. */
  private static final int MAX_BATCH = 256;

  /** Bounds what waits for a commit. */
  private static final int MAX_WAITING = 4 * MAX_BATCH;

  /**
   * How long an intent waits for room before it is refused; an outcome waits as long as it takes.
   */
  private static final Duration MAX_WAIT_FOR_ROOM = Duration.ofSeconds(5);

  private final RecordTransaction transaction;
  private final RecordListener listener;
  private final BlockingQueue<Entry> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
  private final Thread thread = Thread.ofPlatform().name("keywell-records").unstarted(this::loop);

  /**
   * Closed as failed by the next transaction, with their keys' ledger. At most those in flight:
   * while one is here, no intent becomes durable.
   */
  private final Set<Unrecorded> unrecorded = new LinkedHashSet<>();

  private volatile int unrecordedCount;
  private volatile boolean closing;
  private volatile boolean ended;

  /**
   * @param transaction commits what waits, and nobody else's
   */
  public RecordWriter(RecordTransaction transaction, RecordListener listener) {
    this.transaction = transaction;
    this.listener = listener;
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
    return MAX_WAITING;
  }

  /** How many requests may stand as received that nobody works on. */
  public int unrecorded() {
    return unrecordedCount;
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
   *     before; fails with {@link RecordException}
   */
  public CompletableFuture<Boolean> received(SignRequest request, RequestTimes times)
      throws InterruptedException {
    CompletableFuture<Boolean> durable = new CompletableFuture<>();
    Entry intent = new Entry.Intent(request, times, durable);
    if (!waiting.offer(intent, MAX_WAIT_FOR_ROOM.toNanos(), TimeUnit.NANOSECONDS)) {
      durable.completeExceptionally(
          new RecordException(MAX_WAITING + " records wait for the database"));
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

  /** Ends after all that waits has been written. To be called when no more is going to come. */
  public void finish() throws InterruptedException {
    closing = true;
    if (thread.isAlive()) {
      thread.join();
    }
  }

  private void loop() {
    List<Entry> batch = new ArrayList<>(MAX_BATCH);
    try {
      while (!closing || !waiting.isEmpty()) {
        Entry first = waiting.poll(50, TimeUnit.MILLISECONDS);
        if (first != null) {
          batch.add(first);
          waiting.drainTo(batch, MAX_BATCH - 1);
          write(batch);
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
      logEvidence(entry);
      entry.durable().completeExceptionally(new RecordException("the record writer has ended"));
    }
  }

  private void write(List<Entry> batch) {
    try {
      commit(batch);
    } catch (RecordTransactionException e) {
      if (e.isConnectionLost()) {
        lose(batch, e);
      } else if (batch.size() == 1) {
        refuse(batch.getFirst(), e);
      } else {
        writeEach(batch);
      }
    }
  }

  /** One entry spoils the transaction of all: each gets its own, while the database answers. */
  private void writeEach(List<Entry> batch) {
    for (int i = 0; i < batch.size(); i++) {
      try {
        commit(batch.subList(i, i + 1));
      } catch (RecordTransactionException e) {
        if (e.isConnectionLost()) {
          lose(batch.subList(i, batch.size()), e);
          return;
        }
        refuse(batch.get(i), e);
      }
    }
  }

  private void commit(List<Entry> batch) throws RecordTransactionException {
    List<Entry.Intent> intents = new ArrayList<>();
    List<Entry.Outcome> outcomes = new ArrayList<>();
    for (Entry entry : batch) {
      switch (entry) {
        case Entry.Intent intent -> intents.add(intent);
        case Entry.Outcome outcome -> outcomes.add(outcome);
      }
    }
    RecordTransaction.Written written = transaction.commit(intents, outcomes, unrecorded);
    unrecorded.clear();
    unrecordedCount = 0;
    if (written.closed() > 0) {
      listener.closedUnrecorded(written.closed());
    }
    for (int i = 0; i < intents.size(); i++) {
      intents.get(i).durable().complete(written.isNew()[i]);
    }
    for (int i = 0; i < outcomes.size(); i++) {
      settle(outcomes.get(i), written.wasInFlight()[i]);
    }
  }

  private static void settle(Entry.Outcome entry, boolean wasInFlight) {
    if (wasInFlight) {
      entry.durable().complete(entry.outcome());
      return;
    }
    log.atError()
        .addKeyValue(SignRequest.ID_IN_LOGS, entry.requestId())
        .log(
            "request {} was closed by another before its outcome came; nothing is released",
            entry.requestId());
    logEvidence(entry);
    entry.durable().completeExceptionally(new RecordException("the request was closed by another"));
  }

  /** The database answers, and does not take this entry. */
  private void refuse(Entry entry, RecordTransactionException cause) {
    if (entry instanceof Entry.Outcome outcome
        && outcome.keyUse().isPresent()
        && cause.isUniqueViolation()) {
      log.atError()
          .addKeyValue(SignRequest.ID_IN_LOGS, entry.requestId())
          .log(
              "request {}, key {}: its key has served another request",
              entry.requestId(),
              outcome.keyUse().get().label());
      // Names the key where no unique index is, so it is not refused again.
      write(List.of(outcome.keyReused(outcome.keyUse().get())));
      return;
    }
    log.atError()
        .addKeyValue(SignRequest.ID_IN_LOGS, entry.requestId())
        .log("request {} cannot be recorded: {}", entry.requestId(), cause.getMessage());
    fail(
        entry,
        cause.effectUnknown(),
        new RecordException("the database refuses the record", cause));
  }

  private void lose(List<Entry> entries, RecordTransactionException cause) {
    log.error(
        "{} records are not written, the database is lost: {}", entries.size(), cause.getMessage());
    RecordException failure = new RecordException("the database is lost", cause);
    entries.forEach(entry -> fail(entry, cause.effectUnknown(), failure));
  }

  private void fail(Entry entry, boolean effectUnknown, RecordException failure) {
    switch (entry) {
      case Entry.Intent intent -> {
        if (effectUnknown) {
          unrecorded.add(new Unrecorded(intent.requestId(), null));
        }
      }
      case Entry.Outcome outcome -> {
        unrecorded.add(new Unrecorded(outcome.requestId(), outcome.keyId().orElse(null)));
        logEvidence(outcome);
      }
    }
    unrecordedCount = unrecorded.size();
    entry.durable().completeExceptionally(failure);
  }

  /** The end of a key is told somewhere, if not on record. */
  private static void logEvidence(Entry entry) {
    if (entry instanceof Entry.Outcome outcome && outcome.keyUse().isPresent()) {
      KeyUse use = outcome.keyUse().get();
      log.atError()
          .addKeyValue(SignRequest.ID_IN_LOGS, entry.requestId())
          .log(
              "request {}: destroying its key ({}) returned {}; that is not on record",
              entry.requestId(),
              use.label(),
              use.destruction().returnValue());
    }
  }
}
