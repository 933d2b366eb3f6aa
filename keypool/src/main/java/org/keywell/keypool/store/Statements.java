package org.keywell.keypool.store;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** Executes single statements, each on its own connection and in its own transaction. */
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
   * Prepares a statement and runs the work on it.
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

  /** Returns the only value of a query's only row. */
  static long singleLong(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Returns the ids that a query yields. */
  static Set<Long> ids(PreparedStatement statement) throws SQLException {
    Set<Long> ids = new HashSet<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        ids.add(rows.getLong(1));
      }
    }
    return ids;
  }

  static Array ids(Connection connection, Collection<Long> ids) throws SQLException {
    return connection.createArrayOf("bigint", ids.toArray());
  }

  static Array texts(Connection connection, Stream<String> values) throws SQLException {
    return connection.createArrayOf("text", values.toArray());
  }

  static Array bytes(Connection connection, Stream<byte[]> values) throws SQLException {
    return connection.createArrayOf("bytea", values.toArray(byte[][]::new));
  }
}
