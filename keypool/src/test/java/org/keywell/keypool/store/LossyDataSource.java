package org.keywell.keypool.store;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Loses the connection at one moment of a transaction. For one thread at a time. */
final class LossyDataSource implements DataSource {

  private enum Loss {
    NONE,
    STATEMENT,
    COMMIT,
    ANSWER,
    LEFT_OPEN
  }

  private final DataSource target;
  private volatile Loss next = Loss.NONE;
  private volatile @Nullable Connection leftOpen;

  LossyDataSource(DataSource target) {
    this.target = target;
  }

  /** The next statement is not executed. */
  void loseNextStatement() {
    next = Loss.STATEMENT;
  }

  /** The next commit never comes to the server, which rolls back. */
  void loseNextCommit() {
    next = Loss.COMMIT;
  }

  /** The next commit takes effect. */
  void loseNextAnswer() {
    next = Loss.ANSWER;
  }

  /** The next commit is on its way until {@link #commitNow}. */
  void leaveNextCommitOpen() {
    next = Loss.LEFT_OPEN;
  }

  void commitNow() throws SQLException {
    try (Connection connection = leftOpen) {
      if (connection == null) {
        throw new IllegalStateException("no commit is on its way");
      }
      connection.commit();
      connection.setAutoCommit(true);
    }
  }

  @Override
  public Connection getConnection() throws SQLException {
    Connection connection = target.getConnection();
    return (Connection)
        Proxy.newProxyInstance(
            LossyDataSource.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (connection.equals(leftOpen)) {
                if (method.getName().equals("close")) {
                  return null;
                }
                throw lost();
              }
              if (method.getName().equals("commit") && next != Loss.NONE) {
                lose(connection);
              }
              if (method.getName().equals("prepareStatement") && next == Loss.STATEMENT) {
                next = Loss.NONE;
                throw lost();
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private void lose(Connection connection) throws SQLException {
    Loss loss = next;
    next = Loss.NONE;
    switch (loss) {
      case COMMIT -> connection.rollback();
      case ANSWER -> connection.commit();
      case LEFT_OPEN -> leftOpen = connection;
      case NONE, STATEMENT -> throw new IllegalStateException("not at a commit");
    }
    throw lost();
  }

  private static SQLException lost() {
    return new SQLException("the connection is lost", "08006");
  }

  @Override
  public Connection getConnection(String username, String password) {
    throw new UnsupportedOperationException();
  }

  @Override
  public PrintWriter getLogWriter() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void setLogWriter(PrintWriter out) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void setLoginTimeout(int seconds) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() {
    throw new UnsupportedOperationException();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return target.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return target.isWrapperFor(type);
  }
}
