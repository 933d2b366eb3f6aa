package org.keywell.signing.record;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Notes records of keys that the account has as forfeited, so that both agree. */
final class CorrectionStatement {

  private static final String ADD = "INSERT INTO record_correction (records, reason) VALUES (?, ?)";

  private static final String REASON =
      "keys that were forfeited before their instance, taken for gone, signed with them";

  /**
   * Adds a correction.
   *
   * @param records negative: so many records tell of keys that were not counted as used
   */
  void execute(Connection connection, int records) throws SQLException {
    try (PreparedStatement add = connection.prepareStatement(ADD)) {
      add.setInt(1, records);
      add.setString(2, REASON);
      int _ = add.executeUpdate();
    }
  }
}
