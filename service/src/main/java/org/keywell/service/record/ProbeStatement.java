package org.keywell.service.record;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Has the database make something durable where there is nothing to write, and changes nothing: a
 * row lock is in the log of what is committed, and a standby or a full disk refuses it.
 */
final class ProbeStatement {

  // There is one: the start keeps its chain. Other instances refer to it meanwhile: not FOR UPDATE,
  // which their references wait for.
  private static final String LOCK = "SELECT 1 FROM ca_chain LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED";

  void execute(Connection connection) throws SQLException {
    try (PreparedStatement lock = connection.prepareStatement(LOCK)) {
      lock.execute();
    }
  }
}
