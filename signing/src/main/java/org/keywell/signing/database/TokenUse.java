package org.keywell.signing.database;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;

/**
 * What instances report to each other, in the database, about the tokens that they sign with. All
 * times are the server's: instances' clocks may differ. Thread-safe.
 */
public final class TokenUse {

  // The lower bound ignores a row of the future, left by a clock that was set back.
  private static final String TELL_AND_ASK =
      """
      WITH told AS (
        INSERT INTO token_use (token, instance)
        SELECT t, ? FROM unnest(?) AS t ORDER BY t
        ON CONFLICT (token, instance) DO UPDATE SET busy_at = clock_timestamp())
      SELECT token, extract(epoch FROM min(age)) * 1000
      FROM (SELECT token, instance, clock_timestamp() - busy_at AS age FROM token_use) AS u
      WHERE token = ANY(?) AND instance <> ? AND age BETWEEN interval '0' AND ? * interval '1 ms'
      GROUP BY token
      """;

  private final DataSource dataSource;
  private final String instance;

  public TokenUse(DataSource dataSource, String instance) {
    this.dataSource = dataSource;
    this.instance = instance;
  }

  /**
   * Reports which tokens this instance signs with now, and returns those of others. One round trip;
   * writes nothing if there is nothing to report.
   *
   * @param busy those that this instance signs with
   * @param all those to be returned if others sign with them
   * @param within maximum age of other instances' reports
   * @return age of another instance's latest report, by token
   * @throws DatabaseException if the database fails
   */
  public Map<String, Duration> tellAndAsk(
      Collection<String> busy, Collection<String> all, Duration within) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = connection.prepareStatement(TELL_AND_ASK)) {
      statement.setString(1, instance);
      statement.setArray(2, texts(connection, busy));
      statement.setArray(3, texts(connection, all));
      statement.setString(4, instance);
      statement.setLong(5, within.toMillis());
      Map<String, Duration> busyElsewhere = new HashMap<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          busyElsewhere.put(rows.getString(1), Duration.ofMillis(rows.getLong(2)));
        }
      }
      return busyElsewhere;
    } catch (SQLException e) {
      throw new DatabaseException("no hint of other instances' signing: " + e.getMessage(), e);
    }
  }

  private static Array texts(Connection connection, Collection<String> texts) throws SQLException {
    return connection.createArrayOf("text", texts.toArray());
  }
}
