package org.keywell.signing.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.start.NotThereYetException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets one process at a time run under an instance's name, by an advisory lock that PostgreSQL
 * frees when the connection ends. Recovery depends on it: it closes what the name left in flight.
 * An instance that settles what a vanished one has left shares the lock for that moment.
 *
 * <p>Thread-safe.
 */
public final class InstanceLock implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(InstanceLock.class);

  /** Distinguishes Keywell's locks from others in the same database; "KEYW" in ASCII. */
  static final int CLASS_ID = 0x4B455957;

  private static final Duration CHECK_TIMEOUT = Duration.ofSeconds(5);

  private final DataSource dataSource;
  private final String instance;
  private Connection connection;
  private int timesTaken = 1;
  private volatile @Nullable Loss loss;

  /**
   * The loss of the lock.
   *
   * @param sinceNanos when that was noticed, by {@link System#nanoTime}
   * @param cause why the last attempt to retake it failed
   */
  public record Loss(long sinceNanos, String cause) {}

  private InstanceLock(DataSource dataSource, String instance, Connection connection) {
    this.dataSource = dataSource;
    this.instance = instance;
    this.connection = connection;
  }

  /**
   * Takes the lock and keeps one connection for it.
   *
   * @throws StartRefusedException if another process runs under this name
   * @throws NotThereYetException if another instance is settling what this name has left
   */
  public static InstanceLock acquire(DataSource dataSource, String instance) throws SQLException {
    return new InstanceLock(dataSource, instance, lock(dataSource, instance));
  }

  /**
   * Retakes the lock if its connection was lost, as in a restart of the database.
   *
   * @return whether this process has the lock; false also while the database cannot be reached
   */
  public synchronized boolean ensureHeld() {
    try {
      if (connection.isValid((int) CHECK_TIMEOUT.toSeconds())) {
        loss = null;
        return true;
      }
      closeBroken(connection);
      connection = lock(dataSource, instance);
      timesTaken++;
      loss = null;
      log.info("the lock on the instance's name was lost with its connection and is taken again");
      return true;
    } catch (StartRefusedException | NotThereYetException | SQLException e) {
      Loss before = loss;
      loss =
          new Loss(
              before == null ? System.nanoTime() : before.sinceNanos(),
              String.valueOf(e.getMessage()));
      log.error("this process has lost its instance's name: {}", e.getMessage());
      return false;
    }
  }

  /**
   * Works in one transaction on the very connection that has the lock: nobody else runs under the
   * name until it is committed.
   *
   * @throws SQLException if the connection, and so the lock, is lost; nothing was done then
   */
  public synchronized <T> T whileHeld(VanishedInstances.Settlement<T> work) throws SQLException {
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
  }

  /**
   * Returns how often this process has taken the lock, at least 1. In between nobody held it, and
   * another instance may have settled this one's work.
   */
  public synchronized int timesTaken() {
    return timesTaken;
  }

  /** Returns since when and why the lock is not held, as last found by {@link #ensureHeld}. */
  public Optional<Loss> loss() {
    return Optional.ofNullable(loss);
  }

  @Override
  public synchronized void close() throws SQLException {
    Connection held = connection;
    try (held;
        PreparedStatement unlock = held.prepareStatement("SELECT pg_advisory_unlock_all()")) {
      unlock.execute();
    }
  }

  /** Ignores failures: the connection is broken anyway. */
  private static void closeBroken(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      log.debug("the connection of the instance's lock is broken", e);
    }
  }

  private static Connection lock(DataSource dataSource, String instance) throws SQLException {
    Connection connection = dataSource.getConnection();
    boolean locked = false;
    try {
      locked = call(connection, "SELECT pg_try_advisory_lock(?, hashtext(?))", instance);
      if (locked) {
        return connection;
      }
      // A running process holds it exclusively; settling ones share it.
      if (call(connection, "SELECT pg_try_advisory_lock_shared(?, hashtext(?))", instance)) {
        call(connection, "SELECT pg_advisory_unlock_shared(?, hashtext(?))", instance);
        throw new NotThereYetException(
            "another instance settles what keywell.instance '" + instance + "' has left");
      }
      throw new StartRefusedException(
          "another process runs as keywell.instance '" + instance + "'; give each its own name");
    } finally {
      if (!locked) {
        connection.close();
      }
    }
  }

  /** Whether no process runs under the name, and none can start until the transaction's end. */
  static boolean shareForTransaction(Connection connection, String instance) throws SQLException {
    return call(connection, "SELECT pg_try_advisory_xact_lock_shared(?, hashtext(?))", instance);
  }

  private static boolean call(Connection connection, String sql, String instance)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, CLASS_ID);
      statement.setString(2, instance);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getBoolean(1);
      }
    }
  }
}
