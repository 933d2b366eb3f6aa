package org.keywell.keypool.store;

import static org.keywell.keypool.store.Statements.singleLong;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.WrappedKey;

/**
 * Keeps wrapped keys in PostgreSQL, in the tables of {@code db/migrations}. This class and {@link
 * Claims} keep a key from signing twice: nothing else writes to {@code pool_key} or {@code
 * claimed_key}, except {@link Estate}, which forfeits the claims of an instance that no longer
 * runs.
 */
public final class JdbcWrappedKeyStore implements WrappedKeyStore {

  private static final String ADD =
      """
      WITH stored AS (
        INSERT INTO pool_key
          (key_spec, wrapping_key_id, wrap_mechanism, public_key, wrapped_private_key)
        VALUES (?, ?, ?, ?, ?) RETURNING id, key_spec, wrapping_key_id),
      %s
      SELECT id FROM stored
      """
          .formatted(Move.GENERATED.account("stored"));

  private static final String ADD_RESERVED =
      """
      WITH place AS (
        UPDATE key_reservation AS r SET keys = r.keys - wanted.keys
        FROM (SELECT ?::bigint AS keys) AS wanted
        WHERE instance = ? AND key_spec = ? AND wrapping_key_id = ?
          AND r.keys >= wanted.keys
        RETURNING key_spec, wrapping_key_id),
      stored AS (
        INSERT INTO pool_key
          (key_spec, wrapping_key_id, wrap_mechanism, public_key, wrapped_private_key)
        SELECT place.key_spec, place.wrapping_key_id, k.wrap_mechanism, k.public_key, k.wrapped
        FROM place, unnest(?, ?, ?) AS k (wrap_mechanism, public_key, wrapped)
        RETURNING id, key_spec, wrapping_key_id),
      %s
      SELECT count(*) FROM stored
      """
          .formatted(Move.GENERATED.account("stored"));

  // OFFSET 0: else the planner may read all records instead of probing the indexes for each key. It
  // does so while it assumes a short table, and keeps that plan while the table grows.
  private static final String USED =
      """
      SELECT k.id FROM unnest(?, ?) AS k (id, public_key)
      WHERE EXISTS (SELECT FROM used_key u WHERE u.key_id = k.id OFFSET 0)
        OR EXISTS (
          SELECT FROM used_key u WHERE u.public_key_sha256 = sha256(k.public_key) OFFSET 0)
      """;

  private static final String USE = end(Move.USED.account("ended"));
  private static final String USE_IN_REQUESTS = end(Move.USED.count("ended"));
  private static final String DISCARD = end(Move.DISCARDED.account("ended"));

  private static String end(String accounted) {
    return "WITH %s,\n%s\nSELECT id FROM ended".formatted(Giving.ENDED, accounted);
  }

  private static final String ON_LEDGER =
      "SELECT id FROM claimed_key WHERE instance = ? AND id = ANY (?)";

  private final DataSource dataSource;
  private final Statements statements;
  private final Reservations reservations;
  private final Claims claims;
  private final ClaimLimit limit;
  private final String instance;

  /**
   * @param dataSource hands out connections in auto-commit mode, with {@code synchronous_commit} on
   * @param instance names this instance of the service; stable across restarts, unique among the
   *     instances that share the database
   * @param wrappingKeyId the wrapping key of this instance's HSM; keys under others are ignored
   */
  public JdbcWrappedKeyStore(DataSource dataSource, String instance, String wrappingKeyId) {
    this(dataSource, instance, wrappingKeyId, ClaimLimit.NONE);
  }

  /**
   * As {@link #JdbcWrappedKeyStore(DataSource, String, String)}.
   *
   * @param limit how far claims may reach
   */
  public JdbcWrappedKeyStore(
      DataSource dataSource, String instance, String wrappingKeyId, ClaimLimit limit) {
    this.dataSource = dataSource;
    this.statements = new Statements(dataSource);
    this.reservations = new Reservations(dataSource, instance, wrappingKeyId);
    this.claims = new Claims(dataSource, instance, wrappingKeyId);
    this.limit = limit;
    this.instance = instance;
  }

  @Override
  public long add(WrappedKey key) {
    return statements.execute(
        "add a key",
        ADD,
        statement -> {
          statement.setString(1, key.spec().label());
          statement.setString(2, key.wrappingKeyId());
          statement.setString(3, key.wrapMechanism());
          statement.setBytes(4, key.publicKey());
          statement.setBytes(5, key.wrappedPrivateKey());
          statement.setString(6, instance);
          return singleLong(statement);
        });
  }

  @Override
  public int reserve(KeySpec spec, int max, int wanted) {
    return reservations.reserve(spec, max, wanted);
  }

  @Override
  public void keepReserved(KeySpec spec, int keys) {
    reservations.keep(spec, keys);
  }

  @Override
  public void addReserved(List<WrappedKey> keys) {
    if (!addIfReserved(keys)) {
      throw Statements.failure(
          "add keys", new SQLException("their places were given to another instance meanwhile"));
    }
  }

  /** As {@link #addReserved}, but returns false if there are no places. */
  boolean addIfReserved(List<WrappedKey> keys) {
    WrappedKey first = keys.getFirst();
    return statements.execute(
        "add keys",
        ADD_RESERVED,
        statement -> {
          Connection connection = statement.getConnection();
          statement.setLong(1, keys.size());
          statement.setString(2, instance);
          statement.setString(3, first.spec().label());
          statement.setString(4, first.wrappingKeyId());
          statement.setArray(
              5, Statements.texts(connection, keys.stream().map(WrappedKey::wrapMechanism)));
          statement.setArray(
              6, Statements.bytes(connection, keys.stream().map(WrappedKey::publicKey)));
          statement.setArray(
              7, Statements.bytes(connection, keys.stream().map(WrappedKey::wrappedPrivateKey)));
          statement.setString(8, instance);
          return singleLong(statement) > 0;
        });
  }

  @Override
  public List<StoredKey> claim(KeySpec spec, int max) {
    if (max < 1) {
      throw new IllegalArgumentException("a claim takes at least 1 key, not " + max);
    }
    long upTo = limit.upTo(spec);
    List<StoredKey> claimed = claims.claim(spec, max, upTo);
    // Again and again: another instance may take what an extension has let in.
    while (claimed.isEmpty() && limit.extend(spec, max, upTo)) {
      upTo = limit.upTo(spec);
      claimed = claims.claim(spec, max, upTo);
    }
    return claimed;
  }

  @Override
  public Set<Long> used(Collection<StoredKey> keys) {
    if (keys.isEmpty()) {
      return Set.of();
    }
    return statements.execute(
        "look for used keys",
        USED,
        statement -> {
          Connection connection = statement.getConnection();
          statement.setArray(1, Statements.ids(connection, idsOf(keys)));
          statement.setArray(
              2, Statements.bytes(connection, keys.stream().map(k -> k.key().publicKey())));
          return Statements.ids(statement);
        });
  }

  @Override
  public int putBack(Collection<StoredKey> keys) {
    return claims.putBack(keys);
  }

  @Override
  public void discard(Collection<Long> ids) {
    if (!ids.isEmpty()) {
      Set<Long> _ = statements.execute("discard keys", DISCARD, statement -> end(statement, ids));
    }
  }

  /**
   * Closes the ledger for claimed keys in the caller's transaction: together with the record of the
   * requests that spent them, or not at all.
   *
   * @param ids of claimed keys; those on another instance's ledger are ignored
   */
  public void settle(Connection connection, Collection<Long> ids) throws SQLException {
    Set<Long> _ = end(connection, USE, ids);
  }

  /**
   * As {@link #settle}, for keys that the log tells of with the requests that spent them.
   *
   * @return those that were on this instance's ledger; another instance has forfeited the others
   */
  public Set<Long> settleWithRequests(Connection connection, Collection<Long> ids)
      throws SQLException {
    return end(connection, USE_IN_REQUESTS, ids);
  }

  /** Returns what makes a claimed key its client's own. */
  public Giving giving(StoredKey key) {
    return new Giving(instance, key.id());
  }

  private Set<Long> end(Connection connection, String sql, Collection<Long> ids)
      throws SQLException {
    if (ids.isEmpty()) {
      return Set.of();
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      return end(statement, ids);
    }
  }

  private Set<Long> end(PreparedStatement statement, Collection<Long> ids) throws SQLException {
    statement.setString(1, instance);
    statement.setArray(2, Statements.ids(statement.getConnection(), ids));
    statement.setString(3, instance);
    return Statements.ids(statement);
  }

  @Override
  public Set<Long> onLedger(Collection<Long> ids) {
    if (ids.isEmpty()) {
      return Set.of();
    }
    return statements.execute(
        "read the ledger",
        ON_LEDGER,
        statement -> {
          statement.setString(1, instance);
          statement.setArray(2, Statements.ids(statement.getConnection(), ids));
          return Statements.ids(statement);
        });
  }

  @Override
  public long count(KeySpec spec) {
    return reservations.count(spec);
  }

  @Override
  public int forfeitLeftovers() {
    try (Connection connection = dataSource.getConnection()) {
      return new Estate(connection, instance).forfeit(instance);
    } catch (SQLException e) {
      throw Statements.failure("forfeit keys", e);
    }
  }

  private static List<Long> idsOf(Collection<StoredKey> keys) {
    return keys.stream().map(StoredKey::id).toList();
  }
}
