package org.keywell.signing.record;

import java.sql.SQLException;

/** A transaction of the record writer failed. The message is safe to log. */
final class RecordTransactionException extends Exception {

  private static final long serialVersionUID = 1L;

  private final SQLException sqlCause;
  private final boolean effectUnknown;

  /**
   * @param effectUnknown whether the commit was sent: the entries may be in the database
   */
  RecordTransactionException(SQLException cause, boolean effectUnknown) {
    super(SqlStates.describe(cause), cause);
    this.sqlCause = cause;
    this.effectUnknown = effectUnknown;
  }

  /** For the log and operators: names no citizen. */
  String describe() {
    return SqlStates.describe(sqlCause);
  }

  /** Whether the commit was sent, so that the entries may be in the database. */
  boolean effectUnknown() {
    return effectUnknown;
  }

  /**
   * Whether the database accepts nothing now but may soon: retry the entries later, not one by one.
   */
  boolean isAway() {
    return SqlStates.isAway(sqlCause);
  }

  /** Whether the database as a whole fails, rather than one statement. */
  boolean isDatabaseFailing() {
    return SqlStates.isDatabaseFailing(sqlCause);
  }

  boolean isUniqueViolation() {
    return SqlStates.isUniqueViolation(sqlCause);
  }
}
