package org.keywell.keypool.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Settles what an ended run of an instance has left. The caller has made sure that the run has
 * ended. Idempotent: if two instances do it at the same time, each key is forfeited by one of them.
 *
 * <p>Uses the caller's connection and its transaction, if there is one.
 */
public final class Estate {

  /** Selects all instances that hold or may have left something. */
  public static final String INSTANCES =
      """
      SELECT instance FROM claimed_key UNION SELECT instance FROM key_reservation
      UNION SELECT instance FROM key_ledger
      """;

  private static final String FORFEIT =
      """
      WITH ended AS (
        DELETE FROM claimed_key WHERE instance = ? RETURNING id, key_spec, wrapping_key_id),
      %s,
      freed AS (DELETE FROM key_reservation WHERE instance = ?)
      SELECT count(*) FROM ended
      """
          .formatted(Move.FORFEITED.account("ended"));

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
   * Forfeits the keys that the instance had claimed and not accounted for, and releases its places
   * for keys being generated.
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

  /** Moves the instance's counters to the heir, so that counters do not accumulate. */
  public void takeOverCounters(String instance) throws SQLException {
    try (PreparedStatement takeOver = connection.prepareStatement(TAKE_OVER)) {
      takeOver.setString(1, instance);
      takeOver.setString(2, heir);
      int _ = takeOver.executeUpdate();
    }
  }
}
