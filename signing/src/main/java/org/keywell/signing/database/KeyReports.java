package org.keywell.signing.pool;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.keywell.keypool.store.StoreException;

/** One instance's reports in the database, where {@code ./keywell check} finds those of all. */
public final class KeyReports {

  private static final String CLAIMED =
      "SELECT key_spec, count(*) FROM claimed_key WHERE instance = ? GROUP BY 1";

  private static final String WRITE =
      """
      WITH left_out AS (
        DELETE FROM key_report WHERE instance = ? AND part <> ALL (?))
      INSERT INTO key_report (instance, part, wrapping_key_id, expected, found)
      SELECT ?, r.part, ?, r.expected, r.found FROM unnest(?, ?, ?) AS r (part, expected, found)
      ON CONFLICT (instance, part) DO UPDATE SET wrapping_key_id = excluded.wrapping_key_id,
        expected = excluded.expected, found = excluded.found, reported_at = clock_timestamp()
      """;

  private final DataSource dataSource;
  private final String instance;

  public KeyReports(DataSource dataSource, String instance) {
    this.dataSource = dataSource;
    this.instance = instance;
  }

  /**
   * Returns how many keys of each kind this instance has claimed and not accounted for.
   *
   * @throws StoreException if the database fails
   */
  Map<String, Long> claimed() {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement count = connection.prepareStatement(CLAIMED)) {
      count.setString(1, instance);
      Map<String, Long> claimed = new HashMap<>();
      try (ResultSet rows = count.executeQuery()) {
        while (rows.next()) {
          claimed.put(rows.getString(1), rows.getLong(2));
        }
      }
      return claimed;
    } catch (SQLException e) {
      throw new StoreException("claimed keys cannot be counted: " + e.getMessage(), e);
    }
  }

  /**
   * Replaces the last reports. Deletes parts that are no longer reported.
   *
   * @param wrappingKeyIds of the instance's devices
   * @throws StoreException if the database fails
   */
  void write(List<KeyReport> reports, List<String> wrappingKeyIds) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement write = connection.prepareStatement(WRITE)) {
      Array parts =
          connection.createArrayOf("text", reports.stream().map(KeyReport::part).toArray());
      write.setString(1, instance);
      write.setArray(2, parts);
      write.setString(3, instance);
      write.setString(4, String.join(" ", wrappingKeyIds));
      write.setArray(5, parts);
      write.setArray(
          6,
          connection.createArrayOf("bigint", reports.stream().map(KeyReport::expected).toArray()));
      write.setArray(
          7, connection.createArrayOf("bigint", reports.stream().map(KeyReport::found).toArray()));
      write.executeUpdate();
    } catch (SQLException e) {
      throw new StoreException("what was found cannot be reported: " + e.getMessage(), e);
    }
  }
}
