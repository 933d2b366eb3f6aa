package org.keywell.signing.record;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.CaChain;
import org.keywell.keypool.store.JdbcWrappedKeyStore;
import org.keywell.signing.log.LogEntry;
import org.keywell.signing.log.LogWriter;
import org.keywell.tlog.TreeHash;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes entries in one transaction: all of them or none. Thread-safe. */
public final class RecordTransaction {

  private static final Logger log = LoggerFactory.getLogger(RecordTransaction.class);

  private final DataSource dataSource;
  private final IntentStatement intentStatement;
  private final ChainStatement chainStatement = new ChainStatement();
  private final OutcomeStatement outcomeStatement = new OutcomeStatement();
  private final ActStatement actStatement;
  private final UsedKeys usedKeys = new UsedKeys();
  private final UnrecordedStatement unrecordedStatement;
  private final ProbeStatement probeStatement = new ProbeStatement();
  private final CorrectionStatement correctionStatement = new CorrectionStatement();
  private final WrittenBefore writtenBefore;
  private final JdbcWrappedKeyStore keys;
  private final LogWriter logWriter;
  private final RequestEnds requestEnds;
  private volatile @Nullable DatabaseFailure lastFailure;

  /**
   * @param keys settles the ledger of spent keys
   * @param instance the name of this instance, see {@link Recovery}
   * @param poolMode {@code pooled} or {@code on-the-fly}, stored in each record
   * @param log tells of the requests that ended
   */
  public RecordTransaction(
      DataSource dataSource,
      JdbcWrappedKeyStore keys,
      String instance,
      String poolMode,
      LogWriter log) {
    this.dataSource = dataSource;
    this.intentStatement = new IntentStatement(instance, poolMode);
    this.unrecordedStatement = new UnrecordedStatement(instance, intentStatement);
    this.actStatement = new ActStatement(instance);
    this.writtenBefore = new WrittenBefore(instance);
    this.keys = keys;
    this.logWriter = log;
    this.requestEnds = new RequestEnds(instance);
  }

  /**
   * The results of a transaction, in the order of its batch.
   *
   * @param isNew for each intent, whether its id and its ticket were new
   * @param standings for each act with digests, how it stood
   * @param onRecord for each outcome, whether it is on record now
   * @param closed how many others it closed
   */
  record Written(boolean[] isNew, List<ActStanding> standings, boolean[] onRecord, int closed) {}

  /** Returns the last database failure if no transaction was committed since. */
  Optional<DatabaseFailure> lastFailure() {
    return Optional.ofNullable(lastFailure);
  }

  /**
   * Returns once all is durable and the spent keys' ledger is settled. An outcome may be retried
   * after a failure: one already on record counts as written. An empty batch tests whether the
   * database makes anything durable.
   *
   * @param unrecorded requests to close as failed, if unfinished
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
    List<TreeHash> logged = List.of();
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      try {
        // First: an intent in this batch may repeat the id of one of these.
        int closed = unrecordedStatement.execute(connection, unrecorded);
        boolean[] isNew = intentStatement.execute(connection, batch.intents());
        List<ActStanding> standings = actStatement.digests(connection, batch.digests());
        Set<CaChain> chains = chainStatement.execute(connection, batch.outcomes());
        List<byte[]> salts =
            logWriter.isOn() ? requestEnds.salts(batch.outcomes().size()) : List.of();
        boolean[] onRecord = outcomeStatement.execute(connection, batch.outcomes(), salts);
        // Only now: what follows also counts those whose end was written, and logged, before.
        List<LogEntry> ended =
            logWriter.isOn() ? requestEnds.entries(batch.outcomes(), onRecord, salts) : List.of();
        logged = logWriter.add(connection, ended);
        Set<Long> told = keyIds(batch.outcomes(), onRecord);
        actStatement.open(connection, batch.outcomes(), onRecord);
        usedKeys.add(connection, batch.outcomes(), onRecord);
        writtenBefore.find(connection, batch, onRecord);
        if (batch.size() == 0) {
          probeStatement.execute(connection);
        }
        Written written = new Written(isNew, standings, onRecord, closed);
        settle(connection, told, spentKeys(batch.outcomes(), unrecorded));
        commitSent = true;
        connection.commit();
        chainStatement.committed(chains);
        logWriter.committed(logged);
        return written;
      } catch (SQLException e) {
        rollback(connection, e);
        logWriter.rolledBack(logged);
        throw e;
      } catch (RuntimeException e) {
        SQLException defect = new SQLException("a record cannot be written", e);
        rollback(connection, defect);
        logWriter.rolledBack(logged);
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

  /** Closes the ledger for keys whose requests ended now, and for others that are spent. */
  private void settle(Connection connection, Set<Long> ended, List<Long> spent)
      throws SQLException {
    Set<Long> settled = keys.settleWithRequests(connection, ended);
    int forfeited = ended.size() - settled.size();
    if (forfeited > 0) {
      log.error(
          "{} keys signed for requests after another instance had forfeited them: this one was"
              + " taken for gone",
          forfeited);
      correctionStatement.execute(connection, -forfeited);
    }
    keys.settle(connection, spent.stream().filter(id -> !ended.contains(id)).toList());
  }

  private static Set<Long> keyIds(List<Entry.Outcome> outcomes, boolean[] ended) {
    return IntStream.range(0, ended.length)
        .filter(i -> ended[i])
        .mapToObj(i -> outcomes.get(i).keyId())
        .flatMap(Optional::stream)
        .collect(Collectors.toSet());
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
