package org.keywell.service.record;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.jspecify.annotations.Nullable;

/** Tells failures of PostgreSQL apart (its manual's appendix A). */
final class SqlStates {

  private SqlStates() {}

  /** Class 08, a shutdown of the server (57P), or no connection from the pool in time. */
  static boolean isConnectionLost(SQLException e) {
    String state = stateOf(e);
    return e instanceof SQLTransientConnectionException
        || (state != null && (state.startsWith("08") || state.startsWith("57P")));
  }

  /** {@code unique_violation}. */
  static boolean isUniqueViolation(SQLException e) {
    return "23505".equals(stateOf(e));
  }

  /** What the server says, in one line; the text of a batch's exception repeats all its values. */
  static String message(SQLException e) {
    SQLException server = e.getNextException() == null ? e : e.getNextException();
    return String.valueOf(server.getMessage()).replaceAll("\\s*\\R\\s*", " ");
  }

  /** A batch's exception may carry the server's own as its next one. */
  private static @Nullable String stateOf(SQLException e) {
    return e.getNextException() == null ? e.getSQLState() : e.getNextException().getSQLState();
  }
}
