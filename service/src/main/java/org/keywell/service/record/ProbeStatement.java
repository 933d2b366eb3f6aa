package org.keywell.service.record;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Has the database make something durable where there is nothing to write, and changes nothing: a
 * row lock is in the log of what is committed, and a standby or a full disk refuses it.
 */
final class ProbeStatement {

  // Other instances refer to the row meanwhile: not FOR UPDATE, which their references wait for.
  private static final String LOCK =
      "SELECT 1 FROM ca_chain WHERE id = ? FOR NO KEY UPDATE SKIP LOCKED";

  private final byte[] caChainId;

  ProbeStatement(byte[] caChainId) {
    this.caChainId = caChainId;
  }

  void execute(Connection connection) throws SQLException {
    try (PreparedStatement lock = connection.prepareStatement(LOCK)) {
      lock.setBytes(1, caChainId);
      lock.execute();
    }
  }
}
