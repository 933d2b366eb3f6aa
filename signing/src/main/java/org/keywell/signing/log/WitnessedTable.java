package org.keywell.signing.log;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.keywell.signing.database.DatabaseException;
import org.keywell.tlog.AddCheckpoint;
import org.keywell.tlog.Checkpoint;
import org.keywell.tlog.TreeHash;
import org.keywell.tlog.WitnessRules;

/** What this deployment has cosigned as a witness. Thread-safe. */
final class WitnessedTable {

  private static final String BEGIN =
      "INSERT INTO log_witnessed (origin, size, root) VALUES (?, 0, ?) ON CONFLICT DO NOTHING";

  private static final String LATEST =
      "SELECT size, root FROM log_witnessed WHERE origin = ? FOR UPDATE";

  private static final String ACCEPT =
      "UPDATE log_witnessed SET size = ?, root = ?, cosigned = clock_timestamp() WHERE origin = ?";

  private final LogDatabase database;

  /**
   * A decision.
   *
   * @param latest the size that was cosigned last before
   */
  record Judged(WitnessRules.Verdict verdict, long latest) {}

  WitnessedTable(DataSource dataSource) {
    this.database = new LogDatabase(dataSource);
  }

  /**
   * Judges an offer, and keeps its tree if it is accepted, in one transaction that locks the log's
   * row: nothing else is accepted in between, by any instance.
   *
   * @throws DatabaseException if the database fails; then nothing may be cosigned
   */
  Judged judge(AddCheckpoint offer, Checkpoint offered, WitnessRules rules) {
    return database.inTransaction(
        "witnessed", connection -> judge(connection, offer, offered, rules));
  }

  private static Judged judge(
      Connection connection, AddCheckpoint offer, Checkpoint offered, WitnessRules rules)
      throws SQLException {
    Checkpoint latest = latest(connection, offered.origin());
    WitnessRules.Verdict verdict = rules.judge(offer, latest);
    if (verdict == WitnessRules.Verdict.ACCEPTED) {
      try (PreparedStatement accept = connection.prepareStatement(ACCEPT)) {
        accept.setLong(1, offered.size());
        accept.setBytes(2, offered.root().bytes());
        accept.setString(3, offered.origin());
        int _ = accept.executeUpdate();
      }
    }
    return new Judged(verdict, latest.size());
  }

  private static Checkpoint latest(Connection connection, String origin) throws SQLException {
    try (PreparedStatement begin = connection.prepareStatement(BEGIN);
        PreparedStatement latest = connection.prepareStatement(LATEST)) {
      begin.setString(1, origin);
      begin.setBytes(2, TreeHash.EMPTY_TREE.bytes());
      int _ = begin.executeUpdate();
      latest.setString(1, origin);
      try (ResultSet row = latest.executeQuery()) {
        if (!row.next()) {
          throw new SQLException("log_witnessed has no row of " + origin);
        }
        return new Checkpoint(origin, row.getLong(1), TreeHash.of(row.getBytes(2)));
      }
    }
  }
}
