package org.keywell.signing.log;

import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.keywell.signing.database.DatabaseException;

/** Runs statements on the log's tables. Thread-safe. */
final class LogDatabase {

  private final DataSource dataSource;

  interface Work<T> {
    T on(Connection connection) throws SQLException;
  }

  interface Query<T> {
    T on(PreparedStatement statement) throws SQLException;
  }

  LogDatabase(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /**
   * Works on a connection.
   *
   * @param what is done to the log, as a past participle
   * @throws DatabaseException if the database fails
   */
  <T> T with(String what, Work<T> work) {
    try (Connection connection = dataSource.getConnection()) {
      return work.on(connection);
    } catch (SQLException e) {
      SQLException cause = cause(e);
      throw new DatabaseException("the log cannot be " + what + ": " + cause.getMessage(), cause);
    }
  }

  /** As {@link #with}, for one statement. */
  <T> T with(String what, String sql, Query<T> query) {
    return with(
        what,
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(sql)) {
            return query.on(statement);
          }
        });
  }

  /** As {@link #with}, in one transaction. */
  <T> T inTransaction(String what, Work<T> work) {
    return with(
        what,
        connection -> {
          connection.setAutoCommit(false);
          try {
            T done = work.on(connection);
            connection.commit();
            return done;
          } catch (SQLException | RuntimeException e) {
            connection.rollback();
            throw e;
          } finally {
            connection.setAutoCommit(true);
          }
        });
  }

  /** Returns the texts that a query finds. */
  List<String> texts(String sql) {
    return with(
        "read",
        sql,
        read -> {
          List<String> texts = new ArrayList<>();
          try (ResultSet row = read.executeQuery()) {
            while (row.next()) {
              texts.add(row.getString(1));
            }
          }
          return texts;
        });
  }

  /** The driver quotes what a failed batch was to write; the server's own message does not. */
  private static SQLException cause(SQLException failure) {
    SQLException next = failure.getNextException();
    return failure instanceof BatchUpdateException && next != null ? next : failure;
  }
}
