package org.keywell.signing.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Attempts at messages that a broker delivers again, by any instance. An attempt that is neither
 * ended nor the last one was cut off by the end of its process. Thread-safe.
 */
public final class MessageAttempts {

  private static final String KNOWN = "SELECT FROM message_attempt WHERE queue = ? AND message = ?";

  // Rows of messages that expired or went elsewhere. The table has a few rows at most times.
  private static final String BEGIN =
      """
      WITH forgotten AS (
        DELETE FROM message_attempt
        WHERE since < now() - interval '7 days' AND (queue, message) <> (?, ?))
      INSERT INTO message_attempt AS mine (queue, message, instance) VALUES (?, ?, ?)
      ON CONFLICT (queue, message) DO UPDATE
        SET cut_off = mine.cut_off + 1, instance = excluded.instance, since = excluded.since
      RETURNING cut_off
      """;

  private static final String END = "DELETE FROM message_attempt WHERE queue = ? AND message = ?";

  private final DataSource dataSource;
  private final String instance;

  /**
   * @param instance this one's name, for operators
   */
  public MessageAttempts(DataSource dataSource, String instance) {
    this.dataSource = dataSource;
    this.instance = instance;
  }

  /** Returns whether an attempt at a message has begun and not ended. */
  public boolean isOpen(String queue, String message) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement select = connection.prepareStatement(KNOWN)) {
      select.setString(1, queue);
      select.setString(2, message);
      try (ResultSet row = select.executeQuery()) {
        return row.next();
      }
    } catch (SQLException e) {
      throw failure("looked up", e);
    }
  }

  /**
   * Begins an attempt. Durable when this returns.
   *
   * @return how many attempts before it were cut off
   * @throws DatabaseException if the database fails; the attempt may have begun
   */
  public int begin(String queue, String message) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement insert = connection.prepareStatement(BEGIN)) {
      insert.setString(1, queue);
      insert.setString(2, message);
      insert.setString(3, queue);
      insert.setString(4, message);
      insert.setString(5, instance);
      try (ResultSet row = insert.executeQuery()) {
        boolean _ = row.next();
        return row.getInt(1);
      }
    } catch (SQLException e) {
      throw failure("noted", e);
    }
  }

  /** Ends an attempt, and forgets those before it. */
  public void end(String queue, String message) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement delete = connection.prepareStatement(END)) {
      delete.setString(1, queue);
      delete.setString(2, message);
      int _ = delete.executeUpdate();
    } catch (SQLException e) {
      throw failure("ended", e);
    }
  }

  private static DatabaseException failure(String done, SQLException e) {
    return new DatabaseException(
        "an attempt at a message cannot be %s: %s".formatted(done, e.getMessage()), e);
  }
}
