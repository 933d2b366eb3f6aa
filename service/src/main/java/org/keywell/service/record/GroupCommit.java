package org.keywell.service.record;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Commits entries together, and one by one where the database refuses one of them. What came of
 * them is left to {@link RecordAnswers}.
 *
 * <p>Confined to the record writer's thread, but for {@link #unrecorded}.
 */
final class GroupCommit {

  private final RecordTransaction transaction;
  private final RecordAnswers answers;

  /**
   * Closed as failed by the next transaction, with their keys' ledger. At most those in flight:
   * while one is here, no intent becomes durable.
   */
  private final Set<Unrecorded> unrecorded = new LinkedHashSet<>();

  private volatile int unrecordedCount;

  GroupCommit(RecordTransaction transaction, RecordAnswers answers) {
    this.transaction = transaction;
    this.answers = answers;
  }

  /** How many requests may stand as received that nobody works on. */
  int unrecorded() {
    return unrecordedCount;
  }

  /** Returns once each entry is durable, or is not going to be. */
  void write(List<Entry> entries) {
    try {
      commit(entries);
    } catch (RecordTransactionException e) {
      if (e.isConnectionLost()) {
        lose(entries, e);
      } else if (entries.size() == 1) {
        refuse(entries.getFirst(), e);
      } else {
        writeEach(entries);
      }
    }
  }

  /** One entry spoils the transaction of all: each gets its own, while the database answers. */
  private void writeEach(List<Entry> entries) {
    for (int i = 0; i < entries.size(); i++) {
      try {
        commit(entries.subList(i, i + 1));
      } catch (RecordTransactionException e) {
        if (e.isConnectionLost()) {
          lose(entries.subList(i, entries.size()), e);
          return;
        }
        refuse(entries.get(i), e);
      }
    }
  }

  private void commit(List<Entry> entries) throws RecordTransactionException {
    Batch batch = Batch.of(entries);
    long began = System.nanoTime();
    try {
      RecordTransaction.Written written = transaction.commit(batch, unrecorded);
      unrecorded.clear();
      unrecordedCount = 0;
      answers.committed(batch, written, System.nanoTime() - began);
    } catch (RecordTransactionException e) {
      answers.failed(batch, System.nanoTime() - began);
      throw e;
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

  private void lose(List<Entry> entries, RecordTransactionException cause) {
    entries.forEach(entry -> leaveOpen(entry, cause));
    answers.lost(List.copyOf(entries), cause);
  }

  private void leaveOpen(Entry entry, RecordTransactionException cause) {
    switch (entry) {
      case Entry.Intent intent -> {
        if (cause.effectUnknown()) {
          unrecorded.add(new Unrecorded(intent.requestId(), null));
        }
      }
      case Entry.Outcome outcome ->
          unrecorded.add(new Unrecorded(outcome.requestId(), outcome.keyId().orElse(null)));
    }
    unrecordedCount = unrecorded.size();
  }
}
