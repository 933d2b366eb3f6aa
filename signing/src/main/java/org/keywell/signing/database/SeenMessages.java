package org.keywell.signing.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import javax.sql.DataSource;

/**
 * Signed messages that any instance has taken from a broker. Old ones are deleted by those that
 * come, a few at a time. Thread-safe.
 */
public final class SeenMessages {

  // One hour later: an instance whose clock lags the server's may still accept them. Two for each
  // that comes, so that the table shrinks. By their places, as a join may read the whole table.
  private static final String FORGET =
      """
      DELETE FROM seen_message WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM seen_message WHERE usable_until < now() - interval '1 hour'
        ORDER BY usable_until LIMIT 2 FOR UPDATE SKIP LOCKED))
      """;

  private static final String INSERT =
      "WITH forgotten AS ("
          + FORGET
          + """
          )
          INSERT INTO seen_message (caller, message_id, delivery, usable_until)
          VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING
          """;

  private static final String SAME =
      "SELECT FROM seen_message WHERE caller = ? AND message_id = ? AND delivery = ?";

  private final DataSource dataSource;

  public SeenMessages(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /**
   * Marks a message as taken. Durable when this returns.
   *
   * @param id what its sender calls it; a sender's ids are its own
   * @param delivery what the broker calls it: the same however often it is delivered, and another
   *     for each copy that is sent
   * @param usableUntil when it is too old to be taken
   * @return whether it may be taken: nobody has, or only this same delivery was
   * @throws DatabaseException if the database fails; the message may be marked
   */
  public boolean take(String sender, String id, String delivery, Instant usableUntil) {
    try (Connection connection = dataSource.getConnection()) {
      try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
        insert.setString(1, sender);
        insert.setString(2, id);
        insert.setString(3, delivery);
        insert.setObject(4, usableUntil.atOffset(ZoneOffset.UTC));
        if (insert.executeUpdate() > 0) {
          return true;
        }
      }
      return isSame(connection, sender, id, delivery);
    } catch (SQLException e) {
      throw new DatabaseException("a message cannot be marked as taken: " + e.getMessage(), e);
    }
  }

  private static boolean isSame(Connection connection, String sender, String id, String delivery)
      throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(SAME)) {
      select.setString(1, sender);
      select.setString(2, id);
      select.setString(3, delivery);
      try (ResultSet row = select.executeQuery()) {
        return row.next();
      }
    }
  }
}
