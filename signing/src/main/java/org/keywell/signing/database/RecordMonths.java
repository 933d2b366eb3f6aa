package org.keywell.signing.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.keywell.keypool.worker.Worker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions of the records, one for each month of their receipt (UTC). The owner of the tables
 * adds them ahead of time; this counts, hourly on its own thread, how many are left. Records of a
 * month that has none are kept all the same, in a common partition. Thread-safe.
 */
public final class RecordMonths {

  private static final Logger log = LoggerFactory.getLogger(RecordMonths.class);

  /** How many are added ahead. */
  static final int AHEAD = 12;

  /** With fewer, the operator is told. */
  static final int FEW = 3;

  private static final Duration EVERY = Duration.ofHours(1);

  /** Adding one waits for transactions in progress, and others wait behind it. */
  private static final String BRIEFLY = "SET LOCAL lock_timeout = '1s'";

  private static final String MISSING = "SELECT sign_request_months_ahead() < ?";
  private static final String ADD = "SELECT add_sign_request_months(?)";
  private static final String COUNT = "SELECT sign_request_months_ahead()";

  private final DataSource dataSource;
  private final Worker worker = new Worker("keywell-months", this::look);
  private volatile int ahead = AHEAD;

  public RecordMonths(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  public void start() {
    worker.start();
  }

  /**
   * Ends the thread.
   *
   * @param limit how long to wait for a running statement
   */
  public void end(Duration limit) {
    worker.stop();
    boolean _ = worker.join(limit);
  }

  /** Returns how many coming months had their partition when they were last counted. */
  public int ahead() {
    return ahead;
  }

  Duration look() {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement count = connection.prepareStatement(COUNT);
        ResultSet row = count.executeQuery()) {
      row.next();
      ahead = row.getInt(1);
    } catch (SQLException e) {
      throw new DatabaseException("the records' months cannot be counted: " + e.getMessage(), e);
    }
    if (ahead < FEW) {
      log.warn(
          "only {} coming months have a partition for their records: run ./keywell migrate as the"
              + " owner of the tables",
          ahead);
    }
    return EVERY;
  }

  /**
   * Adds the months that are missing, or says why they cannot be added now: some are left.
   *
   * @param connection in auto-commit mode, of the owner of the tables
   */
  static void addMissing(Connection connection) {
    try {
      add(connection);
    } catch (SQLException e) {
      log.warn("partitions for the records of coming months are not added: {}", e.getMessage());
    }
  }

  private static void add(Connection connection) throws SQLException {
    try (PreparedStatement missing = connection.prepareStatement(MISSING)) {
      missing.setInt(1, AHEAD);
      try (ResultSet row = missing.executeQuery()) {
        row.next();
        if (!row.getBoolean(1)) {
          return;
        }
      }
    }
    connection.setAutoCommit(false);
    boolean done = false;
    try (Statement briefly = connection.createStatement();
        PreparedStatement add = connection.prepareStatement(ADD)) {
      boolean _ = briefly.execute(BRIEFLY);
      add.setInt(1, AHEAD);
      boolean _ = add.execute();
      connection.commit();
      done = true;
    } finally {
      if (!done) {
        connection.rollback();
      }
      connection.setAutoCommit(true);
    }
  }
}
