package org.keywell.service.record;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Closes the ledger of keys that were spent. */
final class LedgerStatement {

  private static final String CLOSE = "DELETE FROM claimed_key WHERE instance = ? AND id = ANY (?)";

  private final String instance;

  LedgerStatement(String instance) {
    this.instance = instance;
  }

  void execute(Connection connection, Long[] keyIds) throws SQLException {
    if (keyIds.length == 0) {
      return;
    }
    try (PreparedStatement close = connection.prepareStatement(CLOSE)) {
      close.setString(1, instance);
      close.setArray(2, connection.createArrayOf("bigint", keyIds));
      close.executeUpdate();
    }
  }
}
