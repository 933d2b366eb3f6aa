package org.keywell.kmip.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.keywell.keypool.store.StoreException;

/** Runs work on a connection of its own, all of it or nothing. */
final class Transaction {

  private Transaction() {}

  interface Work<R, T> {
    T on(R resource) throws SQLException;
  }

  /**
   * Runs one statement, which is a transaction by itself.
   *
   * @param what for the message, such as "read an object"
   */
  static <T> T single(
      DataSource dataSource, String what, String sql, Work<PreparedStatement, T> work) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      return work.on(statement);
    } catch (SQLException e) {
      throw failure(what, e);
    }
  }

  /** Runs several, and commits them unless the work throws something. */
  static <T> T run(DataSource dataSource, String what, Work<Connection, T> work) {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      boolean done = false;
      try {
        T result = work.on(connection);
        connection.commit();
        done = true;
        return result;
      } finally {
        if (!done) {
          connection.rollback();
        }
        connection.setAutoCommit(true);
      }
    } catch (SQLException e) {
      throw failure(what, e);
    }
  }

  /**
   * Runs one statement and, if it wrote something, what else belongs to its transaction. Alone, it
   * is a transaction by itself: a round trip instead of two.
   *
   * @param statement returns whether it wrote something
   */
  static boolean first(
      DataSource dataSource, String what, Work<Connection, Boolean> statement, InTransaction also) {
    if (!also.equals(InTransaction.NOTHING)) {
      return run(
          dataSource,
          what,
          connection -> {
            boolean written = statement.on(connection);
            if (written) {
              also.on(connection);
            }
            return written;
          });
    }
    try (Connection connection = dataSource.getConnection()) {
      return statement.on(connection);
    } catch (SQLException e) {
      throw failure(what, e);
    }
  }

  private static StoreException failure(String what, SQLException e) {
    return new StoreException("cannot " + what + " in the database: " + e.getMessage(), e);
  }
}
