package org.keywell.keypool.store;

import static org.keywell.keypool.store.Move.CLAIMED;
import static org.keywell.keypool.store.Move.CORRECTED;
import static org.keywell.keypool.store.Move.GENERATED;
import static org.keywell.keypool.store.Move.PUT_BACK;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.keywell.keypool.hsm.KeySpec;

/**
 * Reserves places for keys that an instance will generate, so that all instances together stay
 * within {@code max-stored}. The number of stored keys comes from the ledger's counters; the rows
 * are not counted for each key. Thread-safe.
 */
final class Reservations {

  /** Distinguishes these locks from others in the same database; "KEYR" in ASCII. */
  private static final int CLASS_ID = 0x4B455952;

  /** The stored keys of one kind and wrapping key, according to the ledger. */
  private static final String STORED =
      """
      (SELECT coalesce(sum(CASE move WHEN '%s' THEN -keys ELSE keys END), 0)::bigint
       FROM key_ledger WHERE key_spec = ? AND wrapping_key_id = ? AND move IN %s)
      """
          .formatted(CLAIMED.label(), Move.in(GENERATED, PUT_BACK, CORRECTED, CLAIMED));

  /** One statement, so that both figures are of one moment. */
  private static final String COUNT =
      "SELECT count(*), " + STORED + " FROM pool_key WHERE key_spec = ? AND wrapping_key_id = ?";

  // A reservation need not survive a crash of the database: a key without one is not stored.
  private static final String LOCK =
      """
      SELECT pg_advisory_xact_lock(?, hashtext(?)), set_config('synchronous_commit', 'off', true)
      """;

  // Runs separately after the lock, so that its snapshot includes what others reserved before.
  private static final String RESERVE =
      """
      WITH room AS (
        SELECT least(?, ? - %s - (
          SELECT coalesce(sum(keys), 0)::bigint FROM key_reservation
          WHERE key_spec = ? AND wrapping_key_id = ?)) AS keys),
      taken AS (
        INSERT INTO key_reservation AS r (instance, key_spec, wrapping_key_id, keys)
        SELECT ?, ?, ?, keys FROM room WHERE keys > 0
        ON CONFLICT (instance, key_spec, wrapping_key_id) DO UPDATE SET keys = r.keys + excluded.keys)
      SELECT keys FROM room
      """
          .formatted(STORED);

  private static final String KEEP =
      """
      UPDATE key_reservation SET keys = ?
      WHERE instance = ? AND key_spec = ? AND wrapping_key_id = ? AND keys > ?
      """;

  private final DataSource dataSource;
  private final Statements statements;
  private final String instance;
  private final String wrappingKeyId;

  /** How many more keys were stored than the ledger says, at the last count. */
  private final Map<KeySpec, Long> beyondLedger = new ConcurrentHashMap<>();

  Reservations(DataSource dataSource, String instance, String wrappingKeyId) {
    this.dataSource = dataSource;
    this.statements = new Statements(dataSource);
    this.instance = instance;
    this.wrappingKeyId = wrappingKeyId;
  }

  /**
   * Counts the rows. Later reservations start from this count and add what the ledger says has
   * moved since, so that new keys replace rows deleted by hand.
   */
  long count(KeySpec spec) {
    return statements.execute(
        "count keys",
        COUNT,
        statement -> {
          statement.setString(1, spec.label());
          statement.setString(2, wrappingKeyId);
          statement.setString(3, spec.label());
          statement.setString(4, wrappingKeyId);
          try (ResultSet row = statement.executeQuery()) {
            row.next();
            long counted = row.getLong(1);
            beyondLedger.put(spec, counted - row.getLong(2));
            return counted;
          }
        });
  }

  int reserve(KeySpec spec, int max, int wanted) {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      boolean done = false;
      try {
        lock(connection, spec);
        int granted = reserve(connection, spec, max, wanted);
        connection.commit();
        done = true;
        return granted;
      } finally {
        if (!done) {
          connection.rollback();
        }
        connection.setAutoCommit(true);
      }
    } catch (SQLException e) {
      throw Statements.failure("reserve a key's place", e);
    }
  }

  private void lock(Connection connection, KeySpec spec) throws SQLException {
    try (PreparedStatement lock = connection.prepareStatement(LOCK)) {
      lock.setInt(1, CLASS_ID);
      lock.setString(2, spec.label() + " " + wrappingKeyId);
      lock.execute();
    }
  }

  private int reserve(Connection connection, KeySpec spec, int max, int wanted)
      throws SQLException {
    try (PreparedStatement reserve = connection.prepareStatement(RESERVE)) {
      reserve.setLong(1, wanted);
      reserve.setLong(2, max - beyondLedger.getOrDefault(spec, 0L));
      reserve.setString(3, spec.label());
      reserve.setString(4, wrappingKeyId);
      reserve.setString(5, spec.label());
      reserve.setString(6, wrappingKeyId);
      reserve.setString(7, instance);
      reserve.setString(8, spec.label());
      reserve.setString(9, wrappingKeyId);
      return Math.toIntExact(Math.max(0, Statements.singleLong(reserve)));
    }
  }

  void keep(KeySpec spec, int keys) {
    int _ =
        statements.execute(
            "give back a key's place",
            KEEP,
            statement -> {
              statement.setLong(1, keys);
              statement.setString(2, instance);
              statement.setString(3, spec.label());
              statement.setString(4, wrappingKeyId);
              statement.setLong(5, keys);
              return statement.executeUpdate();
            });
  }
}
