package org.keywell.service.record;

import java.sql.SQLException;

/** A transaction of the record writer did not end well. Its message is fit for the log. */
final class RecordTransactionException extends Exception {

  private static final long serialVersionUID = 1L;

  private final SQLException sqlCause;
  private final boolean effectUnknown;

  /**
   * @param effectUnknown whether the commit had been sent: the entries may stand in the database
   */
  RecordTransactionException(SQLException cause, boolean effectUnknown) {
    super(SqlStates.describe(cause), cause);
    this.sqlCause = cause;
    this.effectUnknown = effectUnknown;
  }

  /** Fit for the log and for operators: names no citizen. */
  String describe() {
    return SqlStates.describe(sqlCause);
  }

  /** Whether the commit had been sent, so that the entries may stand in the database. */
  boolean effectUnknown() {
    return effectUnknown;
  }

  /**
   * Whether the database takes nothing now and may soon: trying the entries one by one is of no
   * use, trying them again is.
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
