package org.keywell.keypool.store;

import java.util.Arrays;
import java.util.stream.Collectors;

/** The events in a key's life that {@code key_ledger} counts. */
enum Move {
  /** Generated and stored. */
  GENERATED("generated"),
  /** Out of the store, onto an instance's ledger. */
  CLAIMED("claimed"),
  /** Off the ledger, into the store. */
  PUT_BACK("put-back"),
  /** Off the ledger: spent on a request whose outcome is on record. */
  USED("used"),
  /** Off the ledger: given to a client, who manages it from then on. */
  GIVEN("given"),
  /** Off the ledger: forfeited because the run that had claimed it ended. */
  FORFEITED("forfeited"),
  /** Off the ledger: gone without having served a request. */
  DISCARDED("discarded"),
  /** By hand: into the store, or out of it if negative. */
  CORRECTED("corrected");

  /** With ids of 19 digits, well below the 65,535 bytes that an entry may have. */
  private static final int KEYS_PER_ENTRY = 2_000;

  private static final String INTO =
      "INSERT INTO key_ledger AS l (instance, key_spec, wrapping_key_id, move, keys) ";
  private static final String OR_ADD =
      " ON CONFLICT (instance, key_spec, wrapping_key_id, move)"
          + " DO UPDATE SET keys = l.keys + excluded.keys";

  private final String label;

  Move(String label) {
    this.label = label;
  }

  /** Returns the value in the column {@code move}. */
  String label() {
    return label;
  }

  /**
   * Returns SQL that adds to the ledger, for the statement that moves the keys. Every statement
   * writes its rows in the same order, so that two never deadlock.
   *
   * @param rows a query for instance, kind, wrapping key, move and number of keys, without
   *     duplicates in the first four
   */
  static String add(String rows) {
    return INTO + rows + " ORDER BY 1, 2, 3, 4" + OR_ADD;
  }

  /**
   * Returns common table expressions that count keys and log them; their one parameter is the
   * instance that moves them. Nothing is logged while the database keeps no log.
   *
   * @param keys a table of their ids, kinds and wrapping keys, one row per key
   */
  String account(String keys) {
    return """
    %s,
    logged AS (
      INSERT INTO log_pending (entry)
      SELECT log_of_keys(instance, key_spec, wrapping_key_id, '%s', array_agg(id ORDER BY id))
      FROM (
        SELECT *, row_number() OVER (PARTITION BY key_spec, wrapping_key_id ORDER BY id) / %s AS part
        FROM moved) AS parts
      WHERE EXISTS (SELECT FROM log_tree)
      GROUP BY instance, key_spec, wrapping_key_id, part)
    """
        .formatted(count(keys), label, KEYS_PER_ENTRY);
  }

  /** As {@link #account}, for keys that the log tells of elsewhere. */
  String count(String keys) {
    // The wrapping key may be unknown if the previous version claimed the key.
    return """
    moved AS (
      SELECT ?::text AS instance, id, key_spec,
        coalesce(wrapping_key_id, 'unknown') AS wrapping_key_id
      FROM %s),
    counted AS (%s)\
    """
        .formatted(
            keys,
            add(
                "SELECT instance, key_spec, wrapping_key_id, '%s', count(*) FROM moved GROUP BY 1, 2, 3"
                    .formatted(label)));
  }

  /** Returns the given moves as an SQL list. */
  static String in(Move... moves) {
    return Arrays.stream(moves)
        .map(move -> "'" + move.label + "'")
        .collect(Collectors.joining(", ", "(", ")"));
  }
}
