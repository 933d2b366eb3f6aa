package org.keywell.signing.record.archive;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.OffsetDateTime;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The records of single months, for the owner of the tables. Not thread-safe. */
final class MonthTables {

  /** Where records are that have no partition of their month. */
  private static final String OTHER = "sign_request_other";

  private static final String MONTHS =
      """
      SELECT translate(right(c.relname, 7), '_', '-'), c.relname
      FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'sign_request'::regclass
        AND c.relname ~ '^sign_request_[0-9]{4}_[0-9]{2}$'
      UNION ALL
      SELECT DISTINCT to_char(request_received AT TIME ZONE 'UTC', 'YYYY-MM'), 'sign_request_other'
      FROM sign_request_other
      """;

  private static final String RANGE = " request_received >= ? AND request_received < ?";

  private static final String COUNT =
      """
      SELECT count(*), count(*) FILTER (WHERE status IN ('received', 'open'))
      FROM sign_request WHERE
      """
          + RANGE;

  // The entry of a request's end is its first one.
  private static final String READ =
      """
      SELECT s.request_id, s.status, encode(sha256(s.certificate), 'hex'),
        s.signer_salt IS NOT NULL, e.index,
        jsonb_strip_nulls(to_jsonb(s) || jsonb_build_object(
          'log_index', e.index, 'late_return_value', l.late_return_value, 'key_gone', l.key_gone))
      FROM sign_request s
      LEFT JOIN late_destruction l ON l.request_id = s.request_id
      LEFT JOIN LATERAL (
        SELECT min(p.index) AS index FROM log_entry p
        WHERE p.request_id = s.request_id AND p.index < ?) e ON true
      WHERE s.request_received >= ? AND s.request_received < ?
      ORDER BY s.request_received, s.request_id
      """;

  private static final String CHAINS = "SELECT to_jsonb(c) FROM ca_chain c ORDER BY c.id";

  private static final String NOTE =
      """
      WITH logged AS (
        INSERT INTO log_pending (entry) SELECT log_of_archived(?, ?, ?, now())
        WHERE EXISTS (SELECT FROM log_tree))
      INSERT INTO record_correction (records, reason)
      SELECT count(coalesce(key_id, withheld_key_id)), 'archived: ' || ? FROM sign_request WHERE
      """
          + RANGE
          + " HAVING count(coalesce(key_id, withheld_key_id)) > 0";

  private static final String FORGET_LATE =
      "DELETE FROM late_destruction WHERE request_id IN (SELECT request_id FROM sign_request WHERE"
          + RANGE
          + ")";

  private static final String FORGET_IDS = "DELETE FROM known_request WHERE" + RANGE;
  private static final String DELETE = "DELETE FROM sign_request WHERE" + RANGE;

  /** Who signs waits behind it. */
  private static final String BRIEFLY = "SET LOCAL lock_timeout = '1s'";

  private static final String LOCKED = "55P03";
  private static final int ATTEMPTS = 30;
  private static final int ROWS_AT_ONCE = 500;

  private final Connection connection;

  /**
   * @param connection of the owner; this class begins and ends its transactions
   */
  MonthTables(Connection connection) {
    this.connection = connection;
  }

  /**
   * A record as it goes into the archive.
   *
   * @param certificateSha256 null: it has none
   * @param logged whether a log was kept when the request ended
   * @param index of the entry about its end; null: the log has none
   */
  record Line(
      UUID requestId,
      String status,
      @Nullable String certificateSha256,
      boolean logged,
      @Nullable Long index,
      String json) {}

  /** Receives records. */
  interface Lines {
    void add(Line line) throws java.io.IOException;
  }

  /**
   * How many records a month has.
   *
   * @param open of them, requests that have not ended
   */
  record Count(long records, long open) {}

  /** Returns the table that each month is in, earliest first. */
  SortedMap<YearMonth, String> months() throws SQLException {
    SortedMap<YearMonth, String> months = new TreeMap<>();
    try (Statement find = connection.createStatement();
        ResultSet row = find.executeQuery(MONTHS)) {
      while (row.next()) {
        months.put(YearMonth.parse(row.getString(1)), row.getString(2));
      }
    }
    return months;
  }

  Count count(YearMonth month) throws SQLException {
    try (PreparedStatement count = connection.prepareStatement(COUNT)) {
      bind(count, 1, month);
      try (ResultSet row = count.executeQuery()) {
        row.next();
        return new Count(row.getLong(1), row.getLong(2));
      }
    }
  }

  /**
   * Reads a month's records in the order of their receipt, as of one moment.
   *
   * @param logSize entries from this index on do not count
   */
  void read(YearMonth month, long logSize, Lines lines) throws SQLException, java.io.IOException {
    try (PreparedStatement read = connection.prepareStatement(READ)) {
      read.setFetchSize(ROWS_AT_ONCE);
      read.setLong(1, logSize);
      bind(read, 2, month);
      try (ResultSet row = read.executeQuery()) {
        while (row.next()) {
          lines.add(
              new Line(
                  row.getObject(1, UUID.class),
                  row.getString(2),
                  row.getString(3),
                  row.getBoolean(4),
                  row.getObject(5, Long.class),
                  row.getString(6)));
        }
      }
    }
  }

  /** Returns all chains of the CA, a JSON object on each line. */
  String chains() throws SQLException {
    StringBuilder chains = new StringBuilder();
    try (Statement read = connection.createStatement();
        ResultSet row = read.executeQuery(CHAINS)) {
      while (row.next()) {
        chains.append(row.getString(1)).append('\n');
      }
    }
    return chains.toString();
  }

  /**
   * Removes a month's records with what belongs to them, and notes that in the log and for the
   * account of the keys, in the current transaction; the caller commits.
   *
   * @param sha256 of the file that has them now
   */
  void remove(Map.Entry<YearMonth, String> month, long records, byte[] sha256)
      throws SQLException, InterruptedException {
    try (PreparedStatement note = connection.prepareStatement(NOTE)) {
      note.setString(1, month.getKey().toString());
      note.setLong(2, records);
      note.setBytes(3, sha256);
      note.setString(4, month.getKey().toString());
      bind(note, 5, month.getKey());
      int _ = note.executeUpdate();
    }
    delete(FORGET_LATE, month.getKey());
    delete(FORGET_IDS, month.getKey());
    if (month.getValue().equals(OTHER)) {
      delete(DELETE, month.getKey());
    } else {
      drop(month.getValue());
    }
  }

  private void delete(String sql, YearMonth month) throws SQLException {
    try (PreparedStatement delete = connection.prepareStatement(sql)) {
      bind(delete, 1, month);
      int _ = delete.executeUpdate();
    }
  }

  /** Last, since nobody can sign from then until the commit. */
  private void drop(String partition) throws SQLException, InterruptedException {
    try (Statement drop = connection.createStatement()) {
      boolean _ = drop.execute(BRIEFLY);
      for (int attempt = 1; ; attempt++) {
        Savepoint before = connection.setSavepoint();
        try {
          boolean _ = drop.execute("DROP TABLE " + partition);
          return;
        } catch (SQLException e) {
          if (!LOCKED.equals(e.getSQLState()) || attempt == ATTEMPTS) {
            throw e;
          }
          connection.rollback(before);
          Thread.sleep(2_000);
        }
      }
    }
  }

  private static void bind(PreparedStatement statement, int first, YearMonth month)
      throws SQLException {
    statement.setObject(first, start(month));
    statement.setObject(first + 1, start(month.plusMonths(1)));
  }

  private static OffsetDateTime start(YearMonth month) {
    return month.atDay(1).atStartOfDay().atOffset(ZoneOffset.UTC);
  }
}
