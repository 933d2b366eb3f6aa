package org.keywell.keypool.store;

import java.util.Arrays;
import java.util.stream.Collectors;

/** What becomes of a key, as {@code key_ledger} counts it. */
enum Move {
  /** Made and stored. */
  GENERATED("generated"),
  /** Out of the store, onto an instance's ledger. */
  CLAIMED("claimed"),
  /** Off the ledger, into the store. */
  PUT_BACK("put-back"),
  /** Off the ledger: spent on a request whose end is on record. */
  USED("used"),
  /** Off the ledger: given up because the run that had claimed it ended. */
  FORFEITED("forfeited"),
  /** Off the ledger: gone without having served a request. */
  DISCARDED("discarded"),
  /** Into the store, or out of it if negative, by hand. */
  CORRECTED("corrected");

  private static final String INTO =
      "INSERT INTO key_ledger AS l (instance, key_spec, wrapping_key_id, move, keys) ";
  private static final String OR_ADD =
      " ON CONFLICT (instance, key_spec, wrapping_key_id, move)"
          + " DO UPDATE SET keys = l.keys + excluded.keys";

  private final String label;

  Move(String label) {
    this.label = label;
  }

  /** As in the column {@code move}. */
  String label() {
    return label;
  }

  /**
   * Adds to the ledger; for use within the statement that moves the keys. Rows are written in one
   * order by all, so that two statements never wait for each other crosswise.
   *
   * @param rows a query for instance, kind, wrapping key, move and a number of keys, of which
   *     neither of the first four is given twice
   */
  static String add(String rows) {
    return INTO + rows + " ORDER BY 1, 2, 3, 4" + OR_ADD;
  }

  /**
   * Counts keys; one parameter, the instance that moves them.
   *
   * @param keys a table of their kinds and wrapping keys, a row for each key
   */
  String countEach(String keys) {
    // Of a key that the version before had claimed the wrapping key may be unknown.
    return add(
        "SELECT ?, key_spec, coalesce(wrapping_key_id, 'unknown'), '%s', count(*) FROM %s GROUP BY 2, 3"
            .formatted(label, keys));
  }

  /** The given moves as a list of SQL. */
  static String in(Move... moves) {
    return Arrays.stream(moves)
        .map(move -> "'" + move.label + "'")
        .collect(Collectors.joining(", ", "(", ")"));
  }
}
