package org.keywell.signing.record;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Counts the commits of a real database, holds them back, or loses their answer. */
public final class SpyDataSource extends DelegatingDataSource {

  private final AtomicInteger commits = new AtomicInteger();
  private final AtomicInteger lostCommits = new AtomicInteger();
  private final AtomicInteger lostAnswers = new AtomicInteger();
  private final AtomicInteger lostStatements = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();
  private volatile boolean away;
  private final AtomicReference<CountDownLatch> hold = new AtomicReference<>(new CountDownLatch(0));
  private final AtomicReference<CountDownLatch> held = new AtomicReference<>(new CountDownLatch(1));
  private final AtomicReference<@Nullable RuntimeException> defect = new AtomicReference<>();

  public SpyDataSource(DataSource target) {
    super(target);
  }

  public int commits() {
    return commits.get();
  }

  /** Commits wait until the latch opens. */
  public void holdCommits(CountDownLatch until) {
    held.set(new CountDownLatch(1));
    hold.set(until);
  }

  /** Waits until a commit is held back. */
  public void awaitHeld() throws InterruptedException {
    if (!held.get().await(20, TimeUnit.SECONDS)) {
      throw new AssertionError("no commit came");
    }
  }

  /** The next commit takes effect, and the connection is lost before its answer comes. */
  public void loseNextAnswer() {
    lostAnswers.incrementAndGet();
  }

  /** The connection is lost before the next commit takes effect, which its caller cannot know. */
  public void loseNextCommit() {
    lostCommits.incrementAndGet();
  }

  /** The connection is lost at the next statement. */
  public void loseNextStatement() {
    lostStatements.incrementAndGet();
  }

  /** No connection is to be had, or is again. */
  public void away(boolean on) {
    away = on;
  }

  /** How many asked for a connection while none was to be had. */
  public int refused() {
    return refused.get();
  }

  /** The next connection asked for fails in a way that no driver should. */
  public void failNext(RuntimeException failure) {
    defect.set(failure);
  }

  @Override
  public Connection getConnection() throws SQLException {
    RuntimeException failure = defect.getAndSet(null);
    if (failure != null) {
      throw failure;
    }
    if (away) {
      refused.incrementAndGet();
      throw new SQLTransientConnectionException("the database is away", "08001");
    }
    Connection connection = super.getConnection();
    return (Connection)
        Proxy.newProxyInstance(
            SpyDataSource.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("prepareStatement") && isNext(lostStatements)) {
                throw new SQLException("the connection is lost", "08006");
              }
              if (!method.getName().equals("commit")) {
                try {
                  return method.invoke(connection, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              }
              commit(connection);
              return null;
            });
  }

  private void commit(Connection connection) throws SQLException, InterruptedException {
    held.get().countDown();
    hold.get().await();
    if (isNext(lostCommits)) {
      connection.rollback();
      throw new SQLException("the commit is lost", "08006");
    }
    connection.commit();
    commits.incrementAndGet();
    if (isNext(lostAnswers)) {
      throw new SQLException("the answer to the commit is lost", "08006");
    }
  }

  private static boolean isNext(AtomicInteger faults) {
    return faults.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
  }
}
