package org.keywell.signing.record;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.keywell.signing.request.FailureReason;

/** Marks requests as failed if their own record was lost. */
final class UnrecordedStatement {

  // Only of this instance: if an intent was lost, another may be working on the same id by now. Its
  // record is found by the time of its receipt: no month has an index of ids alone.
  private static final String CLOSE =
      """
      WITH closed AS (
        UPDATE sign_request SET
          status = 'failed', failure = ?, request_finished = now(),
          withheld_key_id = CASE WHEN sign_request.key_id IS NULL THEN lost.key_id END
        FROM unnest(?, ?) AS lost (request_id, key_id)
        WHERE sign_request.request_id = lost.request_id AND request_received = ANY (ARRAY(
            SELECT k.request_received FROM known_request k WHERE k.request_id = ANY (?)))
          AND instance = ?
          AND status IN ('received', 'open')
        RETURNING sign_request.request_id, request_received, withheld_key_id,
          sign_request AS request),
      spent AS (
        INSERT INTO used_key (key_id, request_received, request_id)
        SELECT withheld_key_id, request_received, request_id FROM closed
        WHERE withheld_key_id IS NOT NULL
        ON CONFLICT DO NOTHING),
      logged AS (
        INSERT INTO log_pending (entry, request_id)
        SELECT log_of_closed(request), request_id FROM closed
        WHERE EXISTS (SELECT FROM log_tree))
      SELECT count(*) FROM closed
      """;

  private final String instance;
  private final IntentStatement intents;

  UnrecordedStatement(String instance, IntentStatement intents) {
    this.instance = instance;
    this.intents = intents;
  }

  /** Returns how many were unfinished. */
  int execute(Connection connection, Collection<Unrecorded> lost) throws SQLException {
    if (lost.isEmpty()) {
      return 0;
    }
    awaitIntents(connection, lost);
    try (PreparedStatement close = connection.prepareStatement(CLOSE)) {
      close.setString(1, FailureReason.RECORD_UNAVAILABLE.label());
      Array ids =
          connection.createArrayOf("uuid", lost.stream().map(Unrecorded::requestId).toArray());
      close.setArray(2, ids);
      close.setArray(
          3, connection.createArrayOf("bigint", lost.stream().map(Unrecorded::keyId).toArray()));
      close.setArray(4, ids);
      close.setString(5, instance);
      try (ResultSet row = close.executeQuery()) {
        row.next();
        return row.getInt(1);
      }
    }
  }

  /**
   * A transaction whose commit was not answered may still be at work, as while it waits for a
   * standby, and its rows cannot be seen. To insert the same ids is to wait for its end.
   */
  private void awaitIntents(Connection connection, Collection<Unrecorded> lost)
      throws SQLException {
    List<Entry.Intent> unanswered =
        lost.stream().map(Unrecorded::intent).filter(Objects::nonNull).toList();
    if (!unanswered.isEmpty()) {
      Savepoint before = connection.setSavepoint();
      boolean[] _ = intents.execute(connection, unanswered);
      connection.rollback(before);
    }
  }
}
