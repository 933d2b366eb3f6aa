package org.keywell.signing.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Instances that run at this moment: those that hold the lock on their names. Thread-safe. */
public final class RunningInstances {

  private static final String COUNT =
      """
      SELECT count(*) FROM pg_locks
      WHERE locktype = 'advisory' AND classid::bigint = ? AND objsubid = 2
        AND mode = 'ExclusiveLock' AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      """;

  private final DataSource dataSource;

  public RunningInstances(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /**
   * Returns how many there are, this one included.
   *
   * @throws DatabaseException if the database fails
   */
  public int count() {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement count = connection.prepareStatement(COUNT)) {
      count.setInt(1, InstanceLock.CLASS_ID);
      try (ResultSet row = count.executeQuery()) {
        row.next();
        return row.getInt(1);
      }
    } catch (SQLException e) {
      throw new DatabaseException("the instances cannot be counted: " + e.getMessage(), e);
    }
  }
}
