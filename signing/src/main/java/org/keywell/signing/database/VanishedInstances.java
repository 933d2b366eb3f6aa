package org.keywell.signing.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.keywell.keypool.store.Estate;

/**
 * Instances that left requests, keys or counters behind and that no process runs as: nobody holds
 * the lock on their names. Thread-safe.
 */
public final class VanishedInstances {

  // Checks each name against one list of all locks, without taking any.
  private static final String FIND =
      """
      WITH names AS (
        %s
        UNION SELECT instance FROM key_report
        UNION SELECT instance FROM sign_request WHERE status = 'received')
      SELECT instance FROM names
      WHERE instance <> ? AND hashtext(instance)::bigint & 4294967295 NOT IN (
        SELECT objid::bigint FROM pg_locks
        WHERE locktype = 'advisory' AND classid::bigint = ? AND objsubid = 2
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
      ORDER BY instance
      """
          .formatted(Estate.INSTANCES);

  private static final String FORGET_REPORTS =
      """
      WITH hints AS (DELETE FROM token_use WHERE instance = ?),
      keys AS (DELETE FROM wrapping_key_use WHERE instance = ?)
      DELETE FROM key_report WHERE instance = ?
      """;

  private final DataSource dataSource;
  private final String instance;

  /**
   * @param instance of this process, never included
   */
  public VanishedInstances(DataSource dataSource, String instance) {
    this.dataSource = dataSource;
    this.instance = instance;
  }

  /** Work done in one transaction. */
  @FunctionalInterface
  public interface Settlement<T> {
    T on(Connection connection) throws SQLException;
  }

  /**
   * Whether a process runs under the name at this moment.
   *
   * @throws DatabaseException if the database fails
   */
  public boolean runs(String name) {
    try {
      return settle(name, _ -> true).isEmpty();
    } catch (SQLException e) {
      throw new DatabaseException(
          "it is not known whether " + name + " runs: " + e.getMessage(), e);
    }
  }

  /** Returns the names that no process runs as at this moment. */
  public List<String> find() throws SQLException {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement find = connection.prepareStatement(FIND)) {
      find.setString(1, instance);
      find.setInt(2, InstanceLock.CLASS_ID);
      List<String> names = new ArrayList<>();
      try (ResultSet rows = find.executeQuery()) {
        while (rows.next()) {
          names.add(rows.getString(1));
        }
      }
      return names;
    }
  }

  /**
   * Runs work in one transaction, during which nobody can start under the name.
   *
   * @return empty if a process runs as it by now
   */
  public <T> Optional<T> settle(String vanished, Settlement<T> settlement) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      boolean done = false;
      try {
        Optional<T> result = Optional.empty();
        if (InstanceLock.shareForTransaction(connection, vanished)) {
          result = Optional.of(settlement.on(connection));
        }
        connection.commit();
        done = true;
        return result;
      } finally {
        if (!done) {
          connection.rollback();
        }
        connection.setAutoCommit(true);
      }
    }
  }

  /**
   * Deletes what the instance has reported in {@link TokenUse}, {@link WrappingKeyUses} and {@link
   * KeyReports}.
   */
  public static void forgetReports(Connection connection, String vanished) throws SQLException {
    try (PreparedStatement forget = connection.prepareStatement(FORGET_REPORTS)) {
      forget.setString(1, vanished);
      forget.setString(2, vanished);
      forget.setString(3, vanished);
      forget.executeUpdate();
    }
  }
}
