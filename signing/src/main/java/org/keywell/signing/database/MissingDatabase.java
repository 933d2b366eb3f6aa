package org.keywell.signing.database;

import java.net.UnknownHostException;
import java.sql.SQLException;
import java.util.List;

/** Distinguishes a database that is not available yet from one for which waiting will not help. */
public final class MissingDatabase {

  /**
   * Classes and single states: no connection; resources exhausted; the transaction was rolled back;
   * canceled or no lock in time; the server stops, crashed or starts; its disk or system fails;
   * read only, as after a failover.
   */
  private static final List<String> SQL_STATES =
      List.of(
          "08", "53", "40", "57014", "55P03", "57P01", "57P02", "57P03", "57P05", "58", "25006");

  /** The server refused the connection, such as for its encryption. */
  private static final String REFUSED = "08004";

  private MissingDatabase() {}

  /** Whether a failure may pass, by its SQL state. */
  public static boolean isPassing(String sqlState) {
    return !sqlState.equals(REFUSED) && SQL_STATES.stream().anyMatch(sqlState::startsWith);
  }

  static boolean isNotThereYet(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof SQLException sql && sql.getSQLState() != null) {
        return isPassing(sql.getSQLState());
      }
    }
    return false;
  }

  /** Returns the root's message, which for an unknown host is just its name. */
  static String reason(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String prefix = root instanceof UnknownHostException ? "unknown host " : "";
    return prefix + root.getMessage();
  }
}
