package org.keywell.service.record;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.UUID;
import org.keywell.service.problem.ProblemType;

/** Records requests as failed whose own record was lost. */
final class UnrecordedStatement {

  // Of this instance only: if an intent was lost, another may be at work on the same id by now.
  private static final String CLOSE =
      """
      UPDATE sign_request SET status = 'failed', failure = ?, request_finished = now()
      WHERE request_id = ANY (?) AND instance = ? AND status = 'received'
      """;

  private final String instance;

  UnrecordedStatement(String instance) {
    this.instance = instance;
  }

  /** Returns how many stood as received. */
  int execute(Connection connection, Collection<UUID> lost) throws SQLException {
    if (lost.isEmpty()) {
      return 0;
    }
    try (PreparedStatement close = connection.prepareStatement(CLOSE)) {
      close.setString(1, ProblemType.RECORD_UNAVAILABLE.label());
      close.setArray(2, connection.createArrayOf("uuid", lost.toArray()));
      close.setString(3, instance);
      return close.executeUpdate();
    }
  }
}
