package org.keywell.signing.database;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;

/** One instance's reports in the database, where {@code ./keywell check} finds those of all. */
public final class KeyReports {

  private static final String CLAIMED =
      """
      SELECT key_spec, count(*) FROM claimed_key
      WHERE instance = ? AND coalesce(wrapping_key_id = ANY (?), true) GROUP BY 1
      """;

  private static final String WRITE =
      """
      WITH left_out AS (
        DELETE FROM key_report WHERE instance = ? AND part <> ALL (?))
      INSERT INTO key_report (instance, part, wrapping_key_id, expected, found)
      SELECT ?, r.part, ?, r.expected, r.found FROM unnest(?, ?, ?) AS r (part, expected, found)
      ON CONFLICT (instance, part) DO UPDATE SET wrapping_key_id = excluded.wrapping_key_id,
        expected = excluded.expected, found = excluded.found, reported_at = clock_timestamp()
      """;

  private static final String ALL =
      """
      SELECT instance, part, expected, found,
        (extract(epoch FROM clock_timestamp() - reported_at) * 1000)::bigint
      FROM key_report ORDER BY instance, part
      """;

  private static final String IN_TOKENS =
      "SELECT encode(token_id, 'hex') FROM xks_key WHERE state <> 'destroyed'";

  private final DataSource dataSource;
  private final String instance;

  /**
   * An instance's report.
   *
   * @param age since it was made; an instance reports when it has no requests
   */
  public record Reported(String instance, KeyReport report, Duration age) {}

  public KeyReports(DataSource dataSource, String instance) {
    this.dataSource = dataSource;
    this.instance = instance;
  }

  /**
   * Returns how many keys of each kind this instance has claimed and not accounted for.
   *
   * @param wrappingKeyIds those of the keys that count
   * @throws DatabaseException if the database fails
   */
  public Map<String, Long> claimed(List<String> wrappingKeyIds) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement count = connection.prepareStatement(CLAIMED)) {
      count.setString(1, instance);
      count.setArray(2, connection.createArrayOf("text", wrappingKeyIds.toArray()));
      Map<String, Long> claimed = new HashMap<>();
      try (ResultSet rows = count.executeQuery()) {
        while (rows.next()) {
          claimed.put(rows.getString(1), rows.getLong(2));
        }
      }
      return claimed;
    } catch (SQLException e) {
      throw new DatabaseException("claimed keys cannot be counted: " + e.getMessage(), e);
    }
  }

  /**
   * Returns the ids, in hexadecimal, of the secret keys that tokens keep for clients; none of a key
   * that is being made.
   *
   * @throws DatabaseException if the database fails
   */
  public Set<String> inTokens() {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement select = connection.prepareStatement(IN_TOKENS);
        ResultSet row = select.executeQuery()) {
      Set<String> ids = new HashSet<>();
      while (row.next()) {
        ids.add(row.getString(1));
      }
      return ids;
    } catch (SQLException e) {
      throw new DatabaseException("the tokens' keys cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * Replaces the last reports. Deletes parts that are no longer reported.
   *
   * @param wrappingKeyIds of the instance's devices
   * @throws DatabaseException if the database fails
   */
  public void write(List<KeyReport> reports, List<String> wrappingKeyIds) {
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
      throw new DatabaseException("what was found cannot be reported: " + e.getMessage(), e);
    }
  }

  /**
   * Returns the last reports of all instances.
   *
   * @throws DatabaseException if the database fails
   */
  public static List<Reported> all(DataSource dataSource) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement select = connection.prepareStatement(ALL);
        ResultSet row = select.executeQuery()) {
      List<Reported> reports = new ArrayList<>();
      while (row.next()) {
        reports.add(
            new Reported(
                row.getString(1),
                new KeyReport(row.getString(2), row.getLong(3), row.getLong(4)),
                Duration.ofMillis(row.getLong(5))));
      }
      return reports;
    } catch (SQLException e) {
      throw new DatabaseException("the instances' reports cannot be read: " + e.getMessage(), e);
    }
  }
}
