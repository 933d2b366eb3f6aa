package org.keywell.bench.rig;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import org.keywell.standalone.EmbeddedDatabase;

/** Makes a running service's log long by synthetic entries, which have the length of real ones. */
final class LongLog {
  private static final int PER_STATEMENT = 100_000;
  private static final Duration LOOK_EVERY = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofMinutes(15);

  private static final String ADD =
      """
      INSERT INTO log_pending (entry, request_id)
      SELECT convert_to('{"synthetic":"' || repeat(md5(n::text), 32) || '"}', 'UTF8'),
        lpad(to_hex(n), 32, '0')::uuid
      FROM generate_series(?, ?) AS n
      """;

  private static final String WAITING =
      "SELECT checkpoint_size < size OR EXISTS (SELECT FROM log_pending) FROM log_tree";

  private LongLog() {}

  /** Returns the request that a synthetic entry tells of, from 1 on. */
  static UUID requestId(int entry) {
    return new UUID(0, entry);
  }

  /** Adds entries and waits until a checkpoint has them. */
  static void fill(Path home, int entries) throws IOException, InterruptedException {
    try (EmbeddedDatabase server = DatabaseVolume.server(home);
        Connection connection =
            DriverManager.getConnection(
                server.access().url(), server.access().username(), server.access().password());
        PreparedStatement add = connection.prepareStatement(ADD);
        PreparedStatement waiting = connection.prepareStatement(WAITING)) {
      for (int first = 1; first <= entries; first += PER_STATEMENT) {
        add.setInt(1, first);
        add.setInt(2, Math.min(entries, first + PER_STATEMENT - 1));
        int _ = add.executeUpdate();
      }
      long began = System.nanoTime();
      while (isTrue(waiting)) {
        if (System.nanoTime() - began > PATIENCE.toNanos()) {
          throw new IOException("the log has not taken %,d entries".formatted(entries));
        }
        Thread.sleep(LOOK_EVERY);
      }
    } catch (SQLException e) {
      throw new IOException("the log cannot be made longer: " + e.getMessage(), e);
    }
  }

  private static boolean isTrue(PreparedStatement question) throws SQLException {
    try (ResultSet row = question.executeQuery()) {
      return row.next() && row.getBoolean(1);
    }
  }
}
