package org.keywell.signing.database;

import java.net.UnknownHostException;
import java.sql.SQLException;
import java.util.Set;

/** Distinguishes a database that is not available yet from one for which waiting will not help. */
final class MissingDatabase {

  /**
   * No connection (08001, 08006), the server is stopping or starting (57P01 to 57P03), or has no
   * connection left (53300). A wrong password, name or database is not included.
   */
  private static final Set<String> NOT_THERE_YET =
      Set.of("08001", "08006", "57P01", "57P02", "57P03", "53300");

  private MissingDatabase() {}

  static boolean isNotThereYet(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof SQLException sql && sql.getSQLState() != null) {
        return NOT_THERE_YET.contains(sql.getSQLState());
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
