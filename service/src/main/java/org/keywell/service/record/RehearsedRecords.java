package org.keywell.service.record;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.keywell.keypool.store.JdbcWrappedKeyStore;
import org.keywell.service.request.RequestTimes;
import org.keywell.service.request.SignOutcome;
import org.keywell.service.request.SignRequest;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * Writes records by the statements of {@link RecordTransaction}, and rolls them back: no other
 * transaction ever sees one. Of one thread.
 */
public final class RehearsedRecords {

  private final DataSource dataSource;
  private final JdbcWrappedKeyStore keys;
  private final String instance;
  private final String poolMode;

  /**
   * @param dataSource lends a connection for each {@link #write}
   * @param keys as for {@link RecordTransaction}, as is what follows
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
   * @param outcome names no key that is stored
   */
  public record Ended(SignRequest request, RequestTimes times, SignOutcome outcome) {}

  /**
   * Writes that each was received, then how each ended; nothing of it stays.
   *
   * @throws RecordException if the database fails, or refuses one
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
        // Not kept: it remembers chains that are on record, and after this one none is.
        RecordTransaction transaction =
            new RecordTransaction(
                new SingleConnectionDataSource(uncommitted(connection), false),
                keys,
                instance,
                poolMode);
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

  /** The connection, for one that believes that it commits and closes it. */
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
