package org.keywell.signing.record;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.jspecify.annotations.Nullable;

/** Classifies failures of PostgreSQL (appendix A of its manual). */
final class SqlStates {

  private SqlStates() {}

  /**
   * Class 08, a server shutdown (57P), or no connection from the pool in time. Only the record
   * writer uses its pool, so no connection means no database.
   */
  static boolean isConnectionLost(SQLException e) {
    String state = stateOf(e);
    return e instanceof SQLTransientConnectionException
        || (state != null && (state.startsWith("08") || state.startsWith("57P")));
  }

  /**
   * Whether the database as a whole fails, rather than one statement: no connection, no space or
   * memory (class 53), read-only (25006), a system error (58) or an internal error (XX).
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
   * Whether the database accepts no records now but may soon: no connection, no space, memory or
   * connections (class 53), read-only (25006: a primary turned standby).
   */
  static boolean isAway(SQLException e) {
    String state = stateOf(e);
    return isConnectionLost(e)
        || (state != null && (state.startsWith("53") || state.equals("25006")));
  }

  /** Whether all connections of a pool are in use and no attempt to open one failed. */
  static boolean isPoolFull(SQLException e) {
    return e instanceof SQLTransientConnectionException && e.getCause() == null;
  }

  /** {@code unique_violation}. */
  static boolean isUniqueViolation(SQLException e) {
    return "23505".equals(stateOf(e));
  }

  /** Omits the server's message: it may quote the row, and so a citizen's name. */
  static String describe(SQLException e) {
    return "SQL state " + stateOf(e);
  }

  /** A batch's exception may have the server's own as its next one. */
  private static @Nullable String stateOf(SQLException e) {
    return e.getNextException() == null ? e.getSQLState() : e.getNextException().getSQLState();
  }
}
