package org.keywell.keypool.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Executes single statements, each on a connection and in a transaction of its own. */
final class Statements {

  private final DataSource dataSource;

  /**
   * @param dataSource hands out connections in auto-commit mode
   */
  Statements(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  interface Work<T> {
    T on(PreparedStatement statement) throws SQLException;
  }

  /**
   * Prepares a statement and has it worked on.
   *
   * @param what for the message, such as "add a key"
   * @throws StoreException if the database fails
   */
  <T> T execute(String what, String sql, Work<T> work) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      return work.on(statement);
    } catch (SQLException e) {
      throw failure(what, e);
    }
  }

  static StoreException failure(String what, SQLException e) {
    return new StoreException("cannot " + what + " in the database: " + e.getMessage(), e);
  }

  /** The one value of the one row that a query gives. */
  static long singleLong(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }
}
