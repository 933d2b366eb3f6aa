package org.keywell.service.record;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.CaChain;
import org.keywell.keypool.store.JdbcWrappedKeyStore;

/** Writes intents and outcomes in one transaction: all of them or none. Thread-safe. */
public final class RecordTransaction {

  private final DataSource dataSource;
  private final IntentStatement intentStatement;
  private final ChainStatement chainStatement = new ChainStatement();
  private final OutcomeStatement outcomeStatement = new OutcomeStatement();
  private final ActStatement actStatement;
  private final UnrecordedStatement unrecordedStatement;
  private final ProbeStatement probeStatement = new ProbeStatement();
  private final WrittenBefore writtenBefore;
  private final JdbcWrappedKeyStore keys;
  private volatile @Nullable DatabaseFailure lastFailure;

  /**
   * @param keys closes the ledger of the keys that were spent
   * @param instance names this instance, see {@link Recovery}
   * @param poolMode {@code pooled} or {@code on-the-fly}, noted in each record
   */
  public RecordTransaction(
      DataSource dataSource, JdbcWrappedKeyStore keys, String instance, String poolMode) {
    this.dataSource = dataSource;
    this.intentStatement = new IntentStatement(instance, poolMode);
    this.unrecordedStatement = new UnrecordedStatement(instance);
    this.actStatement = new ActStatement(instance);
    this.writtenBefore = new WrittenBefore(instance);
    this.keys = keys;
  }

  /**
   * What a transaction found, in the order of its batch.
   *
   * @param isNew of each intent, whether its id and its ticket were new
   * @param stoodOpen of each act whose digests came, whether it stood open
   * @param onRecord of each outcome, whether it is on record now
   * @param closed how many others it closed
   */
  record Written(boolean[] isNew, boolean[] stoodOpen, boolean[] onRecord, int closed) {}

  /** The last failure of the database, if no transaction was committed since. */
  Optional<DatabaseFailure> lastFailure() {
    return Optional.ofNullable(lastFailure);
  }

  /**
   * Returns once all is durable, and the ledger of the keys that were spent is closed. An outcome
   * may be tried again after a failure: one that is on record by then counts as written. An empty
   * batch is a probe of whether the database makes anything durable.
   *
   * @param unrecorded requests to be closed as failed, if they stand as received
   */
  Written commit(Batch batch, Collection<Unrecorded> unrecorded) throws RecordTransactionException {
    try {
      Written written = write(batch, unrecorded);
      lastFailure = null;
      return written;
    } catch (RecordTransactionException e) {
      if (e.isDatabaseFailing()) {
        lastFailure = new DatabaseFailure(System.nanoTime(), e.describe());
      }
      throw e;
    }
  }

  private Written write(Batch batch, Collection<Unrecorded> unrecorded)
      throws RecordTransactionException {
    boolean commitSent = false;
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      try {
        // First: an intent in this batch may repeat the id of one of these.
        int closed = unrecordedStatement.execute(connection, unrecorded);
        boolean[] isNew = intentStatement.execute(connection, batch.intents());
        boolean[] stoodOpen = actStatement.digests(connection, batch.digests());
        Set<CaChain> chains = chainStatement.execute(connection, batch.outcomes());
        boolean[] onRecord = outcomeStatement.execute(connection, batch.outcomes());
        actStatement.open(connection, batch.outcomes(), onRecord);
        writtenBefore.find(connection, batch, onRecord);
        if (batch.size() == 0) {
          probeStatement.execute(connection);
        }
        Written written = new Written(isNew, stoodOpen, onRecord, closed);
        keys.settle(connection, spentKeys(batch.outcomes(), unrecorded));
        commitSent = true;
        connection.commit();
        chainStatement.committed(chains);
        return written;
      } catch (SQLException e) {
        rollback(connection, e);
        throw e;
      } catch (RuntimeException e) {
        SQLException defect = new SQLException("a record cannot be written", e);
        rollback(connection, defect);
        throw defect;
      } finally {
        restoreAutoCommit(connection);
      }
    } catch (SQLException e) {
      throw new RecordTransactionException(e, commitSent);
    } catch (RuntimeException e) {
      throw new RecordTransactionException(
          new SQLException("there is no connection to the database", "08001", e), commitSent);
    }
  }

  private static List<Long> spentKeys(
      List<Entry.Outcome> outcomes, Collection<Unrecorded> unrecorded) {
    return Stream.concat(
            outcomes.stream().flatMap(outcome -> outcome.keyId().stream()),
            unrecorded.stream().flatMap(lost -> Stream.ofNullable(lost.keyId())))
        .toList();
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
