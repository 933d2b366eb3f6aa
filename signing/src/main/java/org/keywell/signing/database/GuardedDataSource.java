package org.keywell.signing.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import org.springframework.jdbc.datasource.AbstractDataSource;

/** Opens the connections of a pool, except to a server that the guard refuses. Thread-safe. */
final class GuardedDataSource extends AbstractDataSource {

  private final DatabaseAccess access;
  private final Properties properties;
  private final TimelineGuard guard;
  private volatile int loginTimeout;

  /**
   * @param properties for the driver; the URL takes precedence
   */
  GuardedDataSource(DatabaseAccess access, Properties properties, TimelineGuard guard) {
    this.access = access;
    this.properties = properties;
    this.guard = guard;
  }

  @Override
  public Connection getConnection() throws SQLException {
    return getConnection(access.username(), access.password());
  }

  @Override
  public Connection getConnection(String username, String password) throws SQLException {
    Properties all = new Properties();
    all.putAll(properties);
    all.setProperty("user", username);
    all.setProperty("password", password);
    Connection connection = DriverManager.getConnection(access.url(), all);
    boolean admitted = false;
    try {
      guard.admit(connection);
      admitted = true;
      return connection;
    } finally {
      if (!admitted) {
        connection.close();
      }
    }
  }

  /**
   * Stored only for the pool, which on closing waits this long for a connection being opened. The
   * driver's timeout is global; the properties set this pool's own.
   */
  @Override
  public void setLoginTimeout(int seconds) {
    loginTimeout = seconds;
  }

  @Override
  public int getLoginTimeout() {
    return loginTimeout;
  }
}
