package org.keywell.keypool.store;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.WrappedKey;

/**
 * Keeps wrapped keys in PostgreSQL; the tables are those of {@code db/migrations}. Nobody else
 * writes to {@code pool_key} or {@code claimed_key}: what keeps a key from signing twice is here.
 */
public final class JdbcWrappedKeyStore implements WrappedKeyStore {

  private static final String ADD =
      """
      INSERT INTO pool_key (key_spec, wrapping_key_id, wrap_mechanism, public_key, wrapped_private_key)
      VALUES (?, ?, ?, ?, ?) RETURNING id
      """;

  // MATERIALIZED: were the planner free to run the inner query again, more than LIMIT could go.
  // A row whose id is on the ledger already was brought back by hand: it is dropped, not claimed.
  // That is asked in RETURNING, which hashes the ledger's answer. A join of the two would compare
  // each
  // with each: the planner has no statistics of them, and takes both for short.
  private static final String CLAIM =
      """
      WITH oldest AS MATERIALIZED (
        SELECT id FROM pool_key WHERE key_spec = ? AND wrapping_key_id = ?
        ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED),
      ledger AS (
        INSERT INTO claimed_key (id, key_spec, instance) SELECT id, ?, ? FROM oldest
        ON CONFLICT (id) DO NOTHING RETURNING id),
      gone AS (
        DELETE FROM pool_key WHERE id IN (SELECT id FROM oldest)
        RETURNING id, wrap_mechanism, public_key, wrapped_private_key,
          id IN (SELECT id FROM ledger) AS claimed)
      SELECT id, wrap_mechanism, public_key, wrapped_private_key
      FROM gone WHERE claimed ORDER BY id
      """;

  // OFFSET 0: else the planner may read all records instead of asking the indexes for each key. It
  // does so while it takes the table for short, and keeps to that while the table grows.
  private static final String USED =
      """
      SELECT k.id FROM unnest(?, ?) AS k (id, public_key)
      WHERE EXISTS (SELECT FROM sign_request s WHERE s.key_id = k.id OFFSET 0)
        OR EXISTS (SELECT FROM sign_request s WHERE s.withheld_key_id = k.id OFFSET 0)
        OR EXISTS (
          SELECT FROM sign_request s WHERE s.public_key_sha256 = sha256(k.public_key) OFFSET 0)
      """;

  private static final String PUT_BACK =
      """
      WITH released AS (
        DELETE FROM claimed_key WHERE instance = ? AND id = ANY (?) RETURNING id)
      INSERT INTO pool_key
        (id, key_spec, wrapping_key_id, wrap_mechanism, public_key, wrapped_private_key)
      SELECT k.id, k.key_spec, k.wrapping_key_id, k.wrap_mechanism, k.public_key, k.wrapped
      FROM unnest(?, ?, ?, ?, ?, ?)
        AS k (id, key_spec, wrapping_key_id, wrap_mechanism, public_key, wrapped)
      JOIN released USING (id)
      ON CONFLICT DO NOTHING
      """;

  // Only this instance's: another may have claimed the same id by now, if it was brought back by
  // hand.
  private static final String SETTLE =
      "DELETE FROM claimed_key WHERE instance = ? AND id = ANY (?)";

  private static final String COUNT =
      "SELECT count(*) FROM pool_key WHERE key_spec = ? AND wrapping_key_id = ?";

  private static final String FORFEIT = "DELETE FROM claimed_key WHERE instance = ?";

  private final DataSource dataSource;
  private final String instance;
  private final String wrappingKeyId;

  /**
   * @param dataSource hands out connections in auto-commit mode
   * @param instance names this instance of the service; stable across restarts, unique among the
   *     instances that share the database
   * @param wrappingKeyId the wrapping key of this instance's HSM; keys under others are not seen
   */
  public JdbcWrappedKeyStore(DataSource dataSource, String instance, String wrappingKeyId) {
    this.dataSource = dataSource;
    this.instance = instance;
    this.wrappingKeyId = wrappingKeyId;
  }

  @Override
  public long add(WrappedKey key) {
    return execute(
        "add a key",
        ADD,
        statement -> {
          statement.setString(1, key.spec().label());
          statement.setString(2, key.wrappingKeyId());
          statement.setString(3, key.wrapMechanism());
          statement.setBytes(4, key.publicKey());
          statement.setBytes(5, key.wrappedPrivateKey());
          return singleLong(statement);
        });
  }

  @Override
  public List<StoredKey> claim(KeySpec spec, int max) {
    if (max < 1) {
      throw new IllegalArgumentException("a claim takes at least 1 key, not " + max);
    }
    return execute(
        "claim keys",
        CLAIM,
        statement -> {
          statement.setString(1, spec.label());
          statement.setString(2, wrappingKeyId);
          statement.setInt(3, max);
          statement.setString(4, spec.label());
          statement.setString(5, instance);
          List<StoredKey> claimed = new ArrayList<>();
          try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
              WrappedKey key =
                  new WrappedKey(
                      spec, wrappingKeyId, rows.getString(2), rows.getBytes(3), rows.getBytes(4));
              claimed.add(new StoredKey(rows.getLong(1), key));
            }
          }
          return claimed;
        });
  }

  @Override
  public Set<Long> used(Collection<StoredKey> keys) {
    if (keys.isEmpty()) {
      return Set.of();
    }
    return execute(
        "look for used keys",
        USED,
        statement -> {
          Connection connection = statement.getConnection();
          statement.setArray(1, ids(connection, keys));
          statement.setArray(2, bytes(connection, keys.stream().map(k -> k.key().publicKey())));
          Set<Long> used = new HashSet<>();
          try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
              used.add(rows.getLong(1));
            }
          }
          return used;
        });
  }

  @Override
  public int putBack(Collection<StoredKey> keys) {
    if (keys.isEmpty()) {
      return 0;
    }
    List<WrappedKey> wrapped = keys.stream().map(StoredKey::key).toList();
    return execute(
        "put keys back",
        PUT_BACK,
        statement -> {
          Connection connection = statement.getConnection();
          Array ids = ids(connection, keys);
          statement.setString(1, instance);
          statement.setArray(2, ids);
          statement.setArray(3, ids);
          statement.setArray(4, texts(connection, wrapped.stream().map(k -> k.spec().label())));
          statement.setArray(5, texts(connection, wrapped.stream().map(WrappedKey::wrappingKeyId)));
          statement.setArray(6, texts(connection, wrapped.stream().map(WrappedKey::wrapMechanism)));
          statement.setArray(7, bytes(connection, wrapped.stream().map(WrappedKey::publicKey)));
          statement.setArray(
              8, bytes(connection, wrapped.stream().map(WrappedKey::wrappedPrivateKey)));
          return statement.executeUpdate();
        });
  }

  @Override
  public void discard(Collection<Long> ids) {
    if (ids.isEmpty()) {
      return;
    }
    execute("discard keys", SETTLE, statement -> settle(statement, ids));
  }

  /**
   * Closes the ledger for claimed keys inside the caller's transaction: with the record of the
   * requests that they were spent on, or not at all.
   *
   * @param ids of claimed keys; those on another instance's ledger are passed over
   */
  public void settle(Connection connection, Collection<Long> ids) throws SQLException {
    if (ids.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(SETTLE)) {
      settle(statement, ids);
    }
  }

  private int settle(PreparedStatement statement, Collection<Long> ids) throws SQLException {
    statement.setString(1, instance);
    statement.setArray(2, statement.getConnection().createArrayOf("bigint", ids.toArray()));
    return statement.executeUpdate();
  }

  @Override
  public long count(KeySpec spec) {
    return execute(
        "count keys",
        COUNT,
        statement -> {
          statement.setString(1, spec.label());
          statement.setString(2, wrappingKeyId);
          return singleLong(statement);
        });
  }

  @Override
  public int forfeitLeftovers() {
    return execute(
        "forfeit keys",
        FORFEIT,
        statement -> {
          statement.setString(1, instance);
          return statement.executeUpdate();
        });
  }

  private interface Work<T> {
    T on(PreparedStatement statement) throws SQLException;
  }

  private <T> T execute(String what, String sql, Work<T> work) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      return work.on(statement);
    } catch (SQLException e) {
      throw new StoreException("cannot " + what + " in the database: " + e.getMessage(), e);
    }
  }

  private static long singleLong(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }

  private static Array ids(Connection connection, Collection<StoredKey> keys) throws SQLException {
    return connection.createArrayOf("bigint", keys.stream().map(StoredKey::id).toArray());
  }

  private static Array texts(Connection connection, Stream<String> values) throws SQLException {
    return connection.createArrayOf("text", values.toArray());
  }

  private static Array bytes(Connection connection, Stream<byte[]> values) throws SQLException {
    return connection.createArrayOf("bytea", values.toArray(byte[][]::new));
  }
}
