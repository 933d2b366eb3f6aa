package org.keywell.signing.record;

import java.sql.SQLException;

/** The update counts of a batch of one-row statements. */
final class BatchCounts {

  private BatchCounts() {}

  /**
   * Whether each statement changed its row.
   *
   * @throws SQLException if the driver does not say: assuming "no" would fail requests on record
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
