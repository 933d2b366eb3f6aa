package org.keywell.keypool.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Settles what a run of an instance has left that does not run any more. Whoever calls this has
 * made sure of that. Idempotent: of two who do it at a time, each key is given up by one.
 *
 * <p>On the caller's connection and in its transaction, if there is one.
 */
public final class Estate {

  /** Those who may have left something, or still have. */
  public static final String INSTANCES =
      """
      SELECT instance FROM claimed_key UNION SELECT instance FROM key_reservation
      UNION SELECT instance FROM key_ledger
      """;

  private static final String FORFEIT =
      """
      WITH ended AS (
        DELETE FROM claimed_key WHERE instance = ? RETURNING key_spec, wrapping_key_id),
      counted AS (%s),
      freed AS (DELETE FROM key_reservation WHERE instance = ?)
      SELECT count(*) FROM ended
      """
          .formatted(Move.FORFEITED.countEach("ended"));

  private static final String TAKE_OVER =
      """
      WITH theirs AS (
        DELETE FROM key_ledger WHERE instance = ? RETURNING key_spec, wrapping_key_id, move, keys)
      """
          + Move.add("SELECT ?, key_spec, wrapping_key_id, move, keys FROM theirs");

  private final Connection connection;
  private final String heir;

  /**
   * @param heir the instance that settles it
   */
  public Estate(Connection connection, String heir) {
    this.connection = connection;
    this.heir = heir;
  }

  /**
   * Gives up the keys that the instance had claimed and not accounted for, and the places for those
   * that it had in the making.
   *
   * @return how many keys were claimed
   */
  public int forfeit(String instance) throws SQLException {
    try (PreparedStatement forfeit = connection.prepareStatement(FORFEIT)) {
      forfeit.setString(1, instance);
      forfeit.setString(2, heir);
      forfeit.setString(3, instance);
      return Math.toIntExact(Statements.singleLong(forfeit));
    }
  }

  /** Makes the instance's counters the heir's, so that there are not more and more of them. */
  public void takeOverCounters(String instance) throws SQLException {
    try (PreparedStatement takeOver = connection.prepareStatement(TAKE_OVER)) {
      takeOver.setString(1, instance);
      takeOver.setString(2, heir);
      int _ = takeOver.executeUpdate();
    }
  }
}
