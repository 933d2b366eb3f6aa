package org.keywell.keypool.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * Computes the balance of all keys, across instances and wrapping keys. It counts rows, so it takes
 * longer the more keys are stored: for regular checks and operators. Thread-safe.
 */
public final class KeyLedger {

  /** One statement, so that all figures are of one moment. */
  private static final String BALANCE =
      """
      WITH moved AS (
        SELECT key_spec, wrapping_key_id, move, sum(keys)::bigint AS keys FROM key_ledger
        GROUP BY 1, 2, 3
        UNION ALL
        SELECT key_spec, wrapping_key_id, 'is-stored', count(*) FROM pool_key GROUP BY 1, 2
        UNION ALL
        SELECT key_spec, coalesce(wrapping_key_id, 'unknown'), 'is-claimed', count(*)
        FROM claimed_key GROUP BY 1, 2)
      SELECT key_spec, wrapping_key_id,
        %s
      FROM moved GROUP BY 1, 2 ORDER BY 1, 2
      """
          .formatted(
              String.join(
                  ",\n  ",
                  of(Move.GENERATED),
                  of(Move.CORRECTED),
                  of("is-stored"),
                  of("is-claimed"),
                  of(Move.USED, Move.GIVEN),
                  of(Move.FORFEITED),
                  of(Move.DISCARDED),
                  of(Move.CLAIMED),
                  of(Move.PUT_BACK)));

  private final Statements statements;

  /**
   * @param dataSource hands out connections in auto-commit mode
   */
  public KeyLedger(DataSource dataSource) {
    this.statements = new Statements(dataSource);
  }

  /**
   * Returns the balance of each kind under each wrapping key that ever had a key.
   *
   * @throws StoreException if the database fails
   */
  public List<LedgerBalance> balances() {
    return statements.execute(
        "balance the ledger",
        BALANCE,
        statement -> {
          List<LedgerBalance> balances = new ArrayList<>();
          try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
              balances.add(balance(row));
            }
          }
          return balances;
        });
  }

  private static LedgerBalance balance(ResultSet row) throws SQLException {
    return new LedgerBalance(
        row.getString(1),
        row.getString(2),
        row.getLong(3),
        row.getLong(4),
        row.getLong(5),
        row.getLong(6),
        row.getLong(7),
        row.getLong(8),
        row.getLong(9),
        row.getLong(10) - row.getLong(11));
  }

  private static String of(Move... moves) {
    return sum("IN " + Move.in(moves));
  }

  private static String of(String counted) {
    return sum("= '%s'".formatted(counted));
  }

  private static String sum(String condition) {
    return "coalesce(sum(keys) FILTER (WHERE move %s), 0)".formatted(condition);
  }
}
