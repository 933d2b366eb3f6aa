package org.keywell.signing.record;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.keywell.keypool.store.JdbcWrappedKeyStore;
import org.keywell.signing.log.LogWriter;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SignRequest;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * Writes records with the statements of {@link RecordTransaction} and rolls them back: no other
 * transaction sees them. For one thread.
 */
public final class RehearsedRecords {

  private final DataSource dataSource;
  private final JdbcWrappedKeyStore keys;
  private final String instance;
  private final String poolMode;

  /**
   * @param dataSource provides a connection for each {@link #write}
   * @param keys as for {@link RecordTransaction}, like the others
   */
  public RehearsedRecords(
      DataSource dataSource, JdbcWrappedKeyStore keys, String instance, String poolMode) {
    this.dataSource = dataSource;
    this.keys = keys;
    this.instance = instance;
    this.poolMode = poolMode;
  }

  /**
   * A request and its end.
   *
   * @param outcome names no stored key
   */
  public record Ended(SignRequest request, RequestTimes times, SignOutcome outcome) {}

  /**
   * Writes the receipt of each request, then its end; nothing stays.
   *
   * @throws RecordException if the database fails or refuses one
   */
  public void write(List<Ended> requests) {
    List<Entry> intents =
        requests.stream()
            .<Entry>map(
                each -> new Entry.Intent(each.request(), each.times(), new CompletableFuture<>()))
            .toList();
    List<Entry> outcomes =
        requests.stream()
            .<Entry>map(each ->
                new Entry.Outcome(
                    each.request(), each.times(), each.outcome(), new CompletableFuture<>(), 0))
            .toList();
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      try {
        // Not kept: it remembers chains on record, and the rollback removes these.
        RecordTransaction transaction =
            new RecordTransaction(
                new SingleConnectionDataSource(uncommitted(connection), false),
                keys,
                instance,
                poolMode,
                LogWriter.off());
        transaction.commit(Batch.of(intents), List.of());
        transaction.commit(Batch.of(outcomes), List.of());
      } finally {
        connection.rollback();
        connection.setAutoCommit(true);
      }
    } catch (SQLException | RecordTransactionException e) {
      throw new RecordException("records cannot be rehearsed", e);
    }
  }

  /** Returns the connection with commit, close and setAutoCommit disabled. */
  private static Connection uncommitted(Connection connection) {
    return (Connection)
        Proxy.newProxyInstance(
            RehearsedRecords.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (_, method, arguments) ->
                switch (method.getName()) {
                  case "commit", "close", "setAutoCommit" -> null;
                  default -> {
                    try {
                      yield method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                      throw e.getCause();
                    }
                  }
                });
  }
}
