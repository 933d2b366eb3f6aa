package org.keywell.signing.database;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.keywell.signing.start.NotThereYetException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The index of the records by the serial numbers of their certificates, for OCSP. It costs each
 * signature a write, so that only those have it who answer OCSP requests.
 */
final class SerialIndex {

  private static final Logger log = LoggerFactory.getLogger(SerialIndex.class);

  private static final String IS_COMPLETE =
      """
      SELECT EXISTS (SELECT FROM pg_index
        WHERE indexrelid = to_regclass('sign_request_serial') AND indisvalid)
      """;

  private static final String TAKE_TURN =
      "SELECT pg_try_advisory_lock(hashtext('keywell.serial_index'))";

  private static final String END_TURN =
      "SELECT pg_advisory_unlock(hashtext('keywell.serial_index'))";

  /** Months of later have theirs from the start. */
  private static final String OF_ALL =
      """
      SET lock_timeout = '5s';
      CREATE INDEX IF NOT EXISTS sign_request_serial ON ONLY sign_request (certificate_serial)
        WHERE certificate_serial IS NOT NULL;
      RESET lock_timeout
      """;

  private static final String LACKING =
      """
      SELECT m.inhrelid::regclass::text FROM pg_inherits m
      WHERE m.inhparent = 'sign_request'::regclass AND NOT EXISTS (
        SELECT FROM pg_index x JOIN pg_inherits i ON i.inhrelid = x.indexrelid
        WHERE x.indrelid = m.inhrelid AND i.inhparent = 'sign_request_serial'::regclass)
      """;

  private SerialIndex() {}

  /**
   * Makes what is missing, month by month; records can be written meanwhile.
   *
   * @param connection in auto-commit mode, of the owner of the tables
   * @throws NotThereYetException if another instance makes it now
   */
  static void ensure(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (is(statement, IS_COMPLETE)) {
        return;
      }
      // Waiting for it would make the index wait for this very statement.
      if (!is(statement, TAKE_TURN)) {
        throw new NotThereYetException("another instance makes the index of serial numbers");
      }
      try {
        make(connection, statement);
      } finally {
        boolean _ = is(statement, END_TURN);
      }
    }
  }

  private static void make(Connection connection, Statement statement) throws SQLException {
    log.info("making the index of serial numbers, which takes minutes where there are many");
    connection.setNetworkTimeout(Runnable::run, 0);
    boolean _ = statement.execute(OF_ALL);
    for (String month : lacking(statement)) {
      // One that was interrupted stays behind, invalid.
      boolean _ = statement.execute("DROP INDEX IF EXISTS %s_serial".formatted(month));
      boolean _ =
          statement.execute(
              """
              CREATE INDEX CONCURRENTLY %s_serial ON %s (certificate_serial)
                WHERE certificate_serial IS NOT NULL
              """
                  .formatted(month, month));
      boolean _ =
          statement.execute(
              "ALTER INDEX sign_request_serial ATTACH PARTITION %s_serial".formatted(month));
    }
  }

  private static boolean is(Statement statement, String question) throws SQLException {
    try (ResultSet row = statement.executeQuery(question)) {
      return row.next() && row.getBoolean(1);
    }
  }

  private static List<String> lacking(Statement statement) throws SQLException {
    List<String> months = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery(LACKING)) {
      while (rows.next()) {
        months.add(rows.getString(1));
      }
    }
    return months;
  }
}
