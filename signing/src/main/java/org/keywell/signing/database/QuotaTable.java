package org.keywell.signing.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import javax.sql.DataSource;

/** The reservations in the database that all instances share. */
public final class QuotaTable implements QuotaReservations {

  private static final String BEGIN_DAY =
      "INSERT INTO caller_quota (caller, day, reserved) VALUES (?, ?, 0) ON CONFLICT DO NOTHING";

  private static final String LOCK =
      "SELECT reserved FROM caller_quota WHERE caller = ? AND day = ? FOR UPDATE";

  private static final String ADD =
      "UPDATE caller_quota SET reserved = reserved + ? WHERE caller = ? AND day = ?";

  private static final String FORGET = "DELETE FROM caller_quota WHERE day < ?";

  private final DataSource dataSource;

  public QuotaTable(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  @Override
  public long reserve(String caller, LocalDate day, long quota, long wanted) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      boolean done = false;
      try {
        update(connection, BEGIN_DAY, caller, day);
        long granted = Math.clamp(quota - locked(connection, caller, day), 0, wanted);
        update(connection, ADD, granted, caller, day);
        connection.commit();
        done = true;
        return granted;
      } finally {
        if (!done) {
          connection.rollback();
        }
        connection.setAutoCommit(true);
      }
    }
  }

  private static long locked(Connection connection, String caller, LocalDate day)
      throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(LOCK)) {
      select.setString(1, caller);
      select.setObject(2, day);
      try (ResultSet row = select.executeQuery()) {
        if (!row.next()) {
          throw new SQLException("the quota of a day was deleted within it");
        }
        return row.getLong(1);
      }
    }
  }

  @Override
  public void release(String caller, LocalDate day, long unused) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      update(connection, ADD, -unused, caller, day);
    }
  }

  @Override
  public void forgetBefore(LocalDate day) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      update(connection, FORGET, day);
    }
  }

  private static void update(Connection connection, String sql, Object... values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      statement.executeUpdate();
    }
  }
}
