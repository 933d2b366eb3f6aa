package org.keywell.service.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.keywell.service.StartRefusedException;

/**
 * Lets one process at a time run under an instance's name, by an advisory lock that PostgreSQL
 * frees when the connection ends. Recovery depends on it: it closes what the name left in flight.
 */
public final class InstanceLock implements AutoCloseable {

  /** Tells Keywell's locks from those of others in the same database; "KEYW" in ASCII. */
  private static final int CLASS_ID = 0x4B455957;

  private final Connection connection;

  private InstanceLock(Connection connection) {
    this.connection = connection;
  }

  /**
   * Takes the lock and keeps one connection for it.
   *
   * @throws StartRefusedException if another process runs under this name
   */
  public static InstanceLock acquire(DataSource dataSource, String instance) throws SQLException {
    Connection connection = dataSource.getConnection();
    boolean locked = false;
    try (PreparedStatement lock =
        connection.prepareStatement("SELECT pg_try_advisory_lock(?, hashtext(?))")) {
      lock.setInt(1, CLASS_ID);
      lock.setString(2, instance);
      try (ResultSet row = lock.executeQuery()) {
        row.next();
        locked = row.getBoolean(1);
      }
      if (!locked) {
        throw new StartRefusedException(
            "another process runs as keywell.instance '" + instance + "'; give each its own name");
      }
      return new InstanceLock(connection);
    } finally {
      if (!locked) {
        connection.close();
      }
    }
  }

  @Override
  public void close() throws SQLException {
    try (connection;
        PreparedStatement unlock = connection.prepareStatement("SELECT pg_advisory_unlock_all()")) {
      unlock.execute();
    }
  }
}
