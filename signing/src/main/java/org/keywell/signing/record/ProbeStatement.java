package org.keywell.signing.record;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Makes the database commit durably without changing anything: a row lock goes to the write-ahead
 * log, and a standby or a full disk refuses it.
 */
final class ProbeStatement {

  // The start stores a chain, so there is a row. Not FOR UPDATE: other instances' references to it
  // would wait.
  private static final String LOCK = "SELECT 1 FROM ca_chain LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED";

  void execute(Connection connection) throws SQLException {
    try (PreparedStatement lock = connection.prepareStatement(LOCK)) {
      lock.execute();
    }
  }
}
