package org.keywell.service.record;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.jspecify.annotations.Nullable;

/** Tells failures of PostgreSQL apart (its manual's appendix A). */
final class SqlStates {

  private SqlStates() {}

  /**
   * Class 08, a shutdown of the server (57P), or no connection from the pool in time. The record
   * writer is alone with its pool, so that a pool without a connection has no database.
   */
  static boolean isConnectionLost(SQLException e) {
    String state = stateOf(e);
    return e instanceof SQLTransientConnectionException
        || (state != null && (state.startsWith("08") || state.startsWith("57P")));
  }

  /**
   * Whether the database as a whole fails, rather than one statement: no connection, no space or
   * memory (class 53), read-only (25006), an error of its system (58) or of its own (XX).
   */
  static boolean isDatabaseFailing(SQLException e) {
    String state = stateOf(e);
    return isConnectionLost(e)
        || (state != null
            && (state.startsWith("53")
                || state.startsWith("58")
                || state.startsWith("XX")
                || state.equals("25006")));
  }

  /**
   * Whether the database takes no record now and may soon: no connection, no space, memory or
   * connections (class 53), read-only (25006: a primary that has become a standby).
   */
  static boolean isAway(SQLException e) {
    String state = stateOf(e);
    return isConnectionLost(e)
        || (state != null && (state.startsWith("53") || state.equals("25006")));
  }

  /** Whether others had all connections of a pool, while no attempt to make one failed. */
  static boolean isPoolFull(SQLException e) {
    return e instanceof SQLTransientConnectionException && e.getCause() == null;
  }

  /** {@code unique_violation}. */
  static boolean isUniqueViolation(SQLException e) {
    return "23505".equals(stateOf(e));
  }

  /** For logs. The server's message is not: it may quote the row, and so a citizen's name. */
  static String describe(SQLException e) {
    return "SQL state " + stateOf(e);
  }

  /** A batch's exception may carry the server's own as its next one. */
  private static @Nullable String stateOf(SQLException e) {
    return e.getNextException() == null ? e.getSQLState() : e.getNextException().getSQLState();
  }
}
