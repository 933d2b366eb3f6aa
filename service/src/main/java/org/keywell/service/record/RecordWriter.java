package org.keywell.service.record;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.keywell.service.problem.ProblemType;
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

  /** Bounds what waits for a commit; who comes later waits for room. */
  private static final int MAX_WAITING = 4 * MAX_BATCH;

  private static final String CLOSE_UNRECORDED =
      """
      UPDATE sign_request SET status = 'failed', failure = ?, request_finished = now()
      WHERE request_id = ANY (?) AND status = 'received'
      """;

  private final DataSource dataSource;
  private final IntentStatement intentStatement;
  private final OutcomeStatement outcomeStatement;
  private final BlockingQueue<Entry> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
  private final Thread thread = Thread.ofPlatform().name("keywell-records").unstarted(this::loop);

  /** Requests whose outcome could not be written; closed as failed by the next transaction. */
  private final Set<UUID> unrecorded = new LinkedHashSet<>();

  private volatile boolean closing;

  /**
   * @param instance names this instance, see {@link Recovery}
   * @param poolMode {@code pooled} or {@code on-the-fly}, noted in each record
   */
  public RecordWriter(DataSource dataSource, String instance, String poolMode, CaChain caChain) {
    this.dataSource = dataSource;
    this.intentStatement = new IntentStatement(instance, poolMode);
    this.outcomeStatement = new OutcomeStatement(caChain.id());
  }

  public void start() {
    thread.start();
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
    waiting.put(new Entry.Intent(request, times, durable));
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
    KeyUse use = outcome.keyUse();
    waiting.put(
        new Entry.Outcome(request, times, outcome, use == null ? null : use.stored(), durable));
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
    }
  }

  private void write(List<Entry> batch) {
    try {
      commit(batch);
    } catch (SQLException e) {
      if (batch.size() == 1) {
        fail(batch.getFirst(), e);
      } else if (SqlStates.isConnectionLost(e)) {
        batch.forEach(entry -> fail(entry, e));
      } else {
        // One entry spoils the transaction of all: each gets its own.
        batch.forEach(entry -> write(List.of(entry)));
      }
    }
  }

  private void commit(List<Entry> batch) throws SQLException {
    List<Entry.Intent> intents = new ArrayList<>();
    List<Entry.Outcome> outcomes = new ArrayList<>();
    for (Entry entry : batch) {
      switch (entry) {
        case Entry.Intent intent -> intents.add(intent);
        case Entry.Outcome outcome -> outcomes.add(outcome);
      }
    }
    boolean[] isNew = commit(intents, outcomes);
    unrecorded.clear();
    for (int i = 0; i < isNew.length; i++) {
      intents.get(i).durable().complete(isNew[i]);
    }
    outcomes.forEach(entry -> entry.durable().complete(entry.outcome()));
  }

  private boolean[] commit(List<Entry.Intent> intents, List<Entry.Outcome> outcomes)
      throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      try {
        // First: a request that is sent again after its intent was given up begins anew, or finds
        // the record of its first try closed.
        closeUnrecorded(connection);
        boolean[] isNew =
            intents.isEmpty() ? new boolean[0] : intentStatement.execute(connection, intents);
        if (!outcomes.isEmpty()) {
          outcomeStatement.execute(connection, outcomes);
        }
        connection.commit();
        return isNew;
      } catch (SQLException e) {
        rollback(connection, e);
        throw e;
      } finally {
        restoreAutoCommit(connection);
      }
    }
  }

  private void closeUnrecorded(Connection connection) throws SQLException {
    if (unrecorded.isEmpty()) {
      return;
    }
    try (PreparedStatement close = connection.prepareStatement(CLOSE_UNRECORDED)) {
      close.setString(1, ProblemType.RECORD_UNAVAILABLE.label());
      close.setArray(2, connection.createArrayOf("uuid", unrecorded.toArray()));
      close.executeUpdate();
    }
  }

  private void fail(Entry entry, SQLException cause) {
    if (entry instanceof Entry.Outcome outcome && SqlStates.isUniqueViolation(cause)) {
      KeyUse use = outcome.outcome().keyUse();
      if (use != null && namesKey(outcome.outcome(), use)) {
        log.error(
            "request {}: its key has served another request; pool row {}",
            entry.requestId(),
            outcome.ledger() == null ? "none" : outcome.ledger().id());
        write(List.of(withoutKey(outcome, use)));
        return;
      }
    }
    log.error("request {} cannot be recorded: {}", entry.requestId(), SqlStates.message(cause));
    unrecorded.add(entry.requestId());
    entry
        .durable()
        .completeExceptionally(new RecordException("the database refuses the record", cause));
  }

  /** Whether the record would name a key that can be on record for another request. */
  private static boolean namesKey(SignOutcome outcome, KeyUse use) {
    return outcome instanceof SignOutcome.Signed || use.stored() != null;
  }

  private static Entry.Outcome withoutKey(Entry.Outcome entry, KeyUse use) {
    SignOutcome.Failed failed =
        entry.outcome() instanceof SignOutcome.Failed before
            ? new SignOutcome.Failed(before.reason(), before.detail(), use.withoutRow())
            : new SignOutcome.Failed(
                ProblemType.KEY_REUSED, "the signature is withheld", use.withoutRow());
    return new Entry.Outcome(
        entry.request(), entry.times(), failed, entry.ledger(), entry.durable());
  }

  private static void rollback(Connection connection, SQLException cause) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }

  private static void restoreAutoCommit(Connection connection) throws SQLException {
    if (!connection.isClosed()) {
      connection.setAutoCommit(true);
    }
  }
}
