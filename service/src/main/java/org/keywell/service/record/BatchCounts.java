package org.keywell.service.record;

import java.sql.SQLException;

/** Reads what each statement of a batch did to its one row. */
final class BatchCounts {

  private BatchCounts() {}

  /**
   * Whether each changed its row.
   *
   * @throws SQLException if the driver does not tell: to take that for "no" would fail requests
   *     that are on record
   */
  static boolean[] changed(int[] counts) throws SQLException {
    boolean[] changed = new boolean[counts.length];
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] < 0) {
        throw new SQLException("the driver does not tell what a statement of a batch did");
      }
      changed[i] = counts[i] == 1;
    }
    return changed;
  }
}
