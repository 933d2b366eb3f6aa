package org.keywell.keypool.store;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * Ends the claim of a key within the statement that makes it its client's own: never both, never
 * neither, and no round trip more than that statement takes.
 */
public final class Giving {

  // Only this instance's: a key restored by hand may be another instance's by now.
  static final String ENDED =
      """
      ended AS (
        DELETE FROM claimed_key WHERE instance = ? AND id = ANY (?)
        RETURNING id, key_spec, wrapping_key_id)\
      """;

  /**
   * Common table expressions for the statement, the first of its parameters in them. {@code ended}
   * has a row if the key was on this instance's ledger; otherwise, another instance has forfeited
   * it, and the statement must add nothing. They are named ended, moved, counted and logged.
   */
  public static final String EXPRESSIONS = ENDED + ",\n" + Move.GIVEN.account("ended");

  private final String instance;
  private final long id;

  Giving(String instance, long id) {
    this.instance = instance;
    this.id = id;
  }

  /** Sets the parameters of {@link #EXPRESSIONS}, and returns the index of the next one. */
  public int set(PreparedStatement statement) throws SQLException {
    statement.setString(1, instance);
    statement.setArray(2, Statements.ids(statement.getConnection(), List.of(id)));
    statement.setString(3, instance);
    return 4;
  }
}
