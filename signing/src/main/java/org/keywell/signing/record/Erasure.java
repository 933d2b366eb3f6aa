package org.keywell.signing.record;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;
import org.keywell.signing.database.DatabaseException;

/**
 * Takes out of one request's record what identifies its signer, and notes that in the log. Digests,
 * signatures and times stay, with the hashes that the log has: it stays valid, and nobody can tell
 * any more whose they are. Thread-safe.
 */
public final class Erasure {

  /** An archive must have each record either before or after its erasure. */
  static final String ARCHIVE_LOCK =
      "SELECT pg_try_advisory_xact_lock(hashtext('keywell.archive'))";

  // The fingerprint is over the signer's names: who knows the rest could try names.
  private static final String ERASE =
      """
      WITH kept AS (
        SELECT request_id, request_received FROM known_request WHERE request_id = ?),
      erased AS (
        UPDATE sign_request s SET
          erased = now(), signer_reference = NULL, signer_salt = NULL, certificate = NULL,
          request_sha256 = '', test_id = NULL
        FROM kept
        WHERE s.request_id = kept.request_id AND s.request_received = kept.request_received
          AND s.status NOT IN ('received', 'open') AND s.erased IS NULL
        RETURNING s.request_id, s.erased),
      logged AS (
        INSERT INTO log_pending (entry)
        SELECT log_of_erased(request_id, erased) FROM erased WHERE EXISTS (SELECT FROM log_tree))
      SELECT (SELECT count(*) FROM erased), s.status, s.erased IS NOT NULL
      FROM kept JOIN sign_request s USING (request_id, request_received)
      """;

  /** What became of it. */
  public enum Result {
    ERASED,
    /** It had been before. */
    ERASED_BEFORE,
    /** The request is in progress, or its act open. */
    NOT_ENDED,
    /** No such record, or it is in an archive. */
    UNKNOWN,
    /** An archive is being made. */
    ARCHIVING
  }

  private final DataSource owner;

  /**
   * @param owner hands out connections of the owner of the tables
   */
  public Erasure(DataSource owner) {
    this.owner = owner;
  }

  /**
   * Erases in one transaction.
   *
   * @throws DatabaseException if the database fails
   */
  public Result erase(UUID requestId) {
    try (Connection connection = owner.getConnection()) {
      connection.setAutoCommit(false);
      Result result = holds(connection) ? erase(connection, requestId) : Result.ARCHIVING;
      connection.commit();
      return result;
    } catch (SQLException e) {
      throw new DatabaseException("the record cannot be erased: " + e.getMessage(), e);
    }
  }

  private static boolean holds(Connection connection) throws SQLException {
    try (PreparedStatement lock = connection.prepareStatement(ARCHIVE_LOCK);
        ResultSet row = lock.executeQuery()) {
      row.next();
      return row.getBoolean(1);
    }
  }

  private static Result erase(Connection connection, UUID requestId) throws SQLException {
    try (PreparedStatement erase = connection.prepareStatement(ERASE)) {
      erase.setObject(1, requestId);
      try (ResultSet row = erase.executeQuery()) {
        if (!row.next()) {
          return Result.UNKNOWN;
        }
        if (row.getInt(1) == 1) {
          return Result.ERASED;
        }
        return row.getBoolean(3) ? Result.ERASED_BEFORE : Result.NOT_ENDED;
      }
    }
  }
}
