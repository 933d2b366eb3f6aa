package org.keywell.signing.record;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.keywell.signing.request.SignOutcome;

/**
 * Commits entries together, or one by one if the database refuses one of them. While the database
 * is away, intents fail, and outcomes are held and retried until they are durable or their time is
 * up: their keys are spent. {@link RecordAnswers} reports the results.
 *
 * <p>Confined to the record writer's thread, unless stated otherwise.
 */
final class GroupCommit {

  /** While a transaction takes longer than this, the database counts as away. */
  static final Duration STALLED = Duration.ofSeconds(2);

  private final RecordTransaction transaction;
  private final RecordAnswers answers;
  private final LongSupplier nanoClock;

  /** Oldest first. At most those in flight, as {@link #unrecorded}. */
  private final Deque<Entry.Outcome> held = new ArrayDeque<>();

  /**
   * Closed as failed by the next transaction, with their keys' ledger. At most those in flight:
   * while one is here, no intent becomes durable.
   */
  private final Set<Unrecorded> unrecorded = new LinkedHashSet<>();

  private long awaySinceNanos;
  private int attempts;
  private volatile boolean away;
  private volatile int heldCount;
  private volatile int unrecordedCount;

  /** When the current transaction started; 0: none. */
  private volatile long beganNanos;

  GroupCommit(RecordTransaction transaction, RecordAnswers answers, LongSupplier nanoClock) {
    this.transaction = transaction;
    this.answers = answers;
    this.nanoClock = nanoClock;
  }

  /** Returns how many abandoned requests may be on record as unfinished. Thread-safe. */
  int unrecorded() {
    return unrecordedCount;
  }

  /** Returns how many outcomes wait for the database to return. Thread-safe. */
  int held() {
    return heldCount;
  }

  /** Whether the database failed the last transaction and none has succeeded since. */
  boolean isAway() {
    return away;
  }

  /** Returns how many transactions in a row found the database away. */
  int attempts() {
    return attempts;
  }

  /** Whether, as far as known, nothing becomes durable at present. Thread-safe. */
  boolean isStuck() {
    if (away) {
      return true;
    }
    long began = beganNanos;
    return began != 0 && nanoClock.getAsLong() - began >= STALLED.toNanos();
  }

  /** Moves held outcomes to a batch until it has {@code atMost} entries. */
  void takeHeld(List<Entry> batch, int atMost) {
    while (batch.size() < atMost && !held.isEmpty()) {
      batch.add(held.remove());
    }
    heldCount = held.size();
  }

  /**
   * Returns once each entry is durable, held or failed. Without entries, tests whether the database
   * is back.
   */
  void write(List<Entry> entries) {
    try {
      commit(entries);
    } catch (RecordTransactionException e) {
      if (entries.isEmpty() || e.isAway()) {
        hold(entries, e);
      } else if (entries.size() == 1) {
        refuse(entries.getFirst(), e);
      } else {
        writeEach(entries);
      }
    }
  }

  /** Makes no further attempt: what is held is lost. */
  void giveUp() {
    List<Entry> left = new ArrayList<>();
    takeHeld(left, Integer.MAX_VALUE);
    RecordException ended = new RecordException("the record writer has ended");
    left.forEach(entry -> RecordAnswers.fail(entry, ended));
  }

  /** Commits each entry separately, while the database answers: one of them fails them all. */
  private void writeEach(List<Entry> entries) {
    for (int i = 0; i < entries.size(); i++) {
      try {
        commit(entries.subList(i, i + 1));
      } catch (RecordTransactionException e) {
        if (e.isAway()) {
          hold(entries.subList(i, entries.size()), e);
          return;
        }
        refuse(entries.get(i), e);
      }
    }
  }

  private void commit(List<Entry> entries) throws RecordTransactionException {
    Batch batch = Batch.of(entries);
    long began = nanoClock.getAsLong() | 1;
    beganNanos = began;
    try {
      RecordTransaction.Written written = transaction.commit(batch, unrecorded);
      unrecorded.clear();
      unrecordedCount = 0;
      answers.committed(batch, written, nanoClock.getAsLong() - began);
      comeBack();
    } catch (RecordTransactionException e) {
      answers.failed(batch, nanoClock.getAsLong() - began);
      throw e;
    } finally {
      beganNanos = 0;
    }
  }

  private void comeBack() {
    if (away) {
      away = false;
      attempts = 0;
      answers.back(Duration.ofNanos(nanoClock.getAsLong() - awaySinceNanos));
    }
  }

  /** Handles an entry that a working database refuses. */
  private void refuse(Entry entry, RecordTransactionException cause) {
    if (entry instanceof Entry.Outcome outcome
        && outcome.keyUse().isPresent()
        && cause.isUniqueViolation()) {
      answers.keyReused(outcome);
      // The key is named in a column that is not unique: no second refusal.
      write(List.of(outcome.keyReused(outcome.keyUse().get())));
      return;
    }
    leaveOpen(entry, cause);
    answers.refused(entry, cause);
  }

  private void hold(List<Entry> entries, RecordTransactionException cause) {
    long now = nanoClock.getAsLong();
    List<Entry> lost = new ArrayList<>();
    for (Entry entry : entries) {
      if (entry instanceof Entry.Outcome outcome && now - outcome.giveUpNanos() < 0) {
        held.add(outcome);
      } else {
        leaveOpen(entry, cause);
        lost.add(entry);
      }
    }
    heldCount = held.size();
    attempts++;
    if (!away) {
      awaySinceNanos = now;
      away = true;
      answers.away(held.size(), cause);
    }
    if (!lost.isEmpty()) {
      answers.lost(lost, cause);
    }
  }

  private void leaveOpen(Entry entry, RecordTransactionException cause) {
    switch (entry) {
      case Entry.Intent intent -> {
        if (cause.effectUnknown()) {
          unrecorded.add(Unrecorded.of(intent));
        }
      }
      case Entry.Digests digests -> {
        // The act is open, and the holder of its key ends it.
      }
      case Entry.Outcome outcome -> {
        // The holder of the key of an act that could not be opened destroys it and has that
        // recorded.
        if (!(outcome.outcome() instanceof SignOutcome.Opened)) {
          unrecorded.add(Unrecorded.of(outcome));
        }
      }
    }
    unrecordedCount = unrecorded.size();
  }
}
