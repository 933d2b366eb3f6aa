package org.keywell.service.record;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.keywell.service.request.SignOutcome;

/**
 * Commits entries together, and one by one where the database refuses one of them. While the
 * database is away, intents fail and outcomes are held, to be tried again until they are durable or
 * their time is over: their keys are spent. What came of entries is left to {@link RecordAnswers}.
 *
 * <p>Confined to the record writer's thread, but for what says otherwise.
 */
final class GroupCommit {

  /** A transaction that takes longer is taken for a database that is away, until it ends. */
  static final Duration STALLED = Duration.ofSeconds(2);

  private final RecordTransaction transaction;
  private final RecordAnswers answers;
  private final LongSupplier nanoClock;

  /** The oldest first. At most those in flight, as {@link #unrecorded}. */
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

  /** When the transaction under way began; 0: there is none. */
  private volatile long beganNanos;

  GroupCommit(RecordTransaction transaction, RecordAnswers answers, LongSupplier nanoClock) {
    this.transaction = transaction;
    this.answers = answers;
    this.nanoClock = nanoClock;
  }

  /** How many requests may stand as received that nobody works on. Any thread may ask. */
  int unrecorded() {
    return unrecordedCount;
  }

  /** How many outcomes wait for the database to come back. Any thread may ask. */
  int held() {
    return heldCount;
  }

  /** Whether the last transaction failed for the database, and none has succeeded since. */
  boolean isAway() {
    return away;
  }

  /** How many transactions have failed in a row because the database is away. */
  int attempts() {
    return attempts;
  }

  /** Whether nothing becomes durable at present, as far as is known. Any thread may ask. */
  boolean isStuck() {
    if (away) {
      return true;
    }
    long began = beganNanos;
    return began != 0 && nanoClock.getAsLong() - began >= STALLED.toNanos();
  }

  /** Moves outcomes that are held to a batch, which is to have so many entries at the most. */
  void takeHeld(List<Entry> batch, int atMost) {
    while (batch.size() < atMost && !held.isEmpty()) {
      batch.add(held.remove());
    }
    heldCount = held.size();
  }

  /**
   * Returns once each entry is durable, held, or not going to be durable. Without entries it is
   * tried whether the database is back.
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

  /** No further attempt is made: what is held is lost. */
  void giveUp() {
    List<Entry> left = new ArrayList<>();
    takeHeld(left, Integer.MAX_VALUE);
    RecordException ended = new RecordException("the record writer has ended");
    left.forEach(entry -> RecordAnswers.fail(entry, ended));
  }

  /** One entry spoils the transaction of all: each gets its own, while the database answers. */
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

  /** The database answers, and does not take this entry. */
  private void refuse(Entry entry, RecordTransactionException cause) {
    if (entry instanceof Entry.Outcome outcome
        && outcome.keyUse().isPresent()
        && cause.isUniqueViolation()) {
      answers.keyReused(outcome);
      // Names the key where no unique index is, so it is not refused again.
      write(List.of(outcome.keyReused(outcome.keyUse().get())));
      return;
    }
    leaveOpen(entry, cause);
    answers.refused(entry, cause);
  }

  /** The database is away. */
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
          unrecorded.add(new Unrecorded(intent.requestId(), null));
        }
      }
      case Entry.Digests digests -> {
        // The act stands open, and whoever keeps its key ends it.
      }
      case Entry.Outcome outcome -> {
        // Whoever keeps the key of an act that could not be opened destroys it, and has that
        // recorded.
        if (!(outcome.outcome() instanceof SignOutcome.Opened)) {
          unrecorded.add(new Unrecorded(outcome.requestId(), outcome.keyId().orElse(null)));
        }
      }
    }
    unrecordedCount = unrecorded.size();
  }
}
