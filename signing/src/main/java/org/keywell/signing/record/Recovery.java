package org.keywell.signing.record;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.keywell.signing.request.FailureReason;

/**
 * Closes what an earlier run of an instance left in flight, and its open acts. Safe only while no
 * other process runs under the instance's name; {@code InstanceLock} ensures that.
 */
public final class Recovery {

  // The record of an open act keeps naming its key, which is forfeited, not used.
  private static final String CLOSE =
      """
      WITH closed AS (
        UPDATE sign_request SET status = 'failed', failure = ?, request_finished = now()
        WHERE instance = ? AND (status = 'received' OR status = 'open')
        RETURNING request_id, key_id, sign_request AS request),
      logged AS (
        INSERT INTO log_pending (entry, request_id)
        SELECT log_of_closed(request), request_id FROM closed
        WHERE EXISTS (SELECT FROM log_tree)),
      unused AS (
        INSERT INTO record_correction (records, reason)
        SELECT -count(key_id), 'acts that were open when their instance ended' FROM closed
        HAVING count(key_id) > 0)
      SELECT count(*) FROM closed
      """;

  private Recovery() {}

  /**
   * Marks each request in flight of an instance as failed, in the caller's transaction. A
   * repetition that waits at another instance finds its request closed.
   *
   * @return how many there were
   */
  public static int closeInFlight(Connection connection, String instance) throws SQLException {
    try (PreparedStatement close = connection.prepareStatement(CLOSE)) {
      close.setString(1, FailureReason.INTERRUPTED.label());
      close.setString(2, instance);
      try (ResultSet row = close.executeQuery()) {
        row.next();
        return row.getInt(1);
      }
    }
  }
}
