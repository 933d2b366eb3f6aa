package org.keywell.signing.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * The instances' reports of their wrapping keys: before a key wraps or is destroyed, all that run
 * must know. Thread-safe. Each method throws {@link DatabaseException} if the database fails.
 */
public final class WrappingKeyUses {

  private static final String ALL =
      "SELECT instance, device, token, wrapping_key_id, used_as FROM wrapping_key_use"
          + " ORDER BY instance, device, wrapping_key_id";

  // The rows that are the same stay as they are.
  private static final String REPORT =
      """
      WITH now AS (
        SELECT * FROM unnest(?, ?, ?, ?) AS r (device, token, wrapping_key_id, used_as)),
      gone AS (
        DELETE FROM wrapping_key_use u WHERE instance = ? AND NOT EXISTS (
          SELECT FROM now
          WHERE (now.device, now.token, now.wrapping_key_id)
            = (u.device, u.token, u.wrapping_key_id)))
      INSERT INTO wrapping_key_use AS u (instance, device, token, wrapping_key_id, used_as)
      SELECT ?, device, token, wrapping_key_id, used_as FROM now
      ON CONFLICT (instance, device, token, wrapping_key_id) DO UPDATE
        SET used_as = excluded.used_as WHERE u.used_as <> excluded.used_as
      """;

  private final DataSource dataSource;

  /**
   * @param dataSource hands out connections in auto-commit mode
   */
  public WrappingKeyUses(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /** Replaces what the instance reported before. */
  public void report(String instance, List<WrappingKeyUse> uses) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement report = connection.prepareStatement(REPORT)) {
      setTexts(report, 1, uses, WrappingKeyUse::device);
      setTexts(report, 2, uses, WrappingKeyUse::token);
      setTexts(report, 3, uses, WrappingKeyUse::wrappingKeyId);
      setTexts(report, 4, uses, use -> use.kind().label());
      report.setString(5, instance);
      report.setString(6, instance);
      report.executeUpdate();
    } catch (SQLException e) {
      throw new DatabaseException("wrapping keys cannot be reported: " + e.getMessage(), e);
    }
  }

  private static void setTexts(
      PreparedStatement statement,
      int index,
      List<WrappingKeyUse> uses,
      Function<WrappingKeyUse, String> text)
      throws SQLException {
    statement.setArray(
        index, statement.getConnection().createArrayOf("text", uses.stream().map(text).toArray()));
  }

  /** Returns the last reports of all instances, of those that have ended too. */
  public List<WrappingKeyUse> all() {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement select = connection.prepareStatement(ALL);
        ResultSet row = select.executeQuery()) {
      List<WrappingKeyUse> uses = new ArrayList<>();
      while (row.next()) {
        uses.add(
            new WrappingKeyUse(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                WrappingKeyUse.Kind.valueOf(row.getString(5).toUpperCase(Locale.ROOT))));
      }
      return uses;
    } catch (SQLException e) {
      throw new DatabaseException("wrapping keys cannot be read: " + e.getMessage(), e);
    }
  }
}
