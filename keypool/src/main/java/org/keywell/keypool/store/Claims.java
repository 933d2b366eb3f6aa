package org.keywell.keypool.store;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.WrappedKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes keys out of the store and puts them back. Each claim has its own number and commits only
 * once its keys have arrived here. So if the commit's acknowledgement is lost, it is known which
 * keys may be on the ledger and that nobody has received them; they go back before anything else.
 */
final class Claims {

  private static final Logger log = LoggerFactory.getLogger(Claims.class);

  // MATERIALIZED: otherwise the planner may rerun the inner query, and more than LIMIT rows could
  // go. A row whose id is already on the ledger was restored by hand: it is dropped, not claimed.
  // RETURNING checks that, since it hashes the ledger's result. A join of the two would compare
  // each row with each: the planner has no statistics on them and assumes that both are short. The
  // array keeps it from joining the whole table with them.
  private static final String CLAIM =
      """
      WITH oldest AS MATERIALIZED (
        SELECT id FROM pool_key WHERE key_spec = ? AND wrapping_key_id = ? AND place <= ?
        ORDER BY place LIMIT ? FOR UPDATE SKIP LOCKED),
      ledger AS (
        INSERT INTO claimed_key (id, key_spec, wrapping_key_id, instance, claim)
        SELECT id, ?, ?, ?, ? FROM oldest
        ON CONFLICT (id) DO NOTHING RETURNING id, key_spec, wrapping_key_id),
      %s,
      gone AS (
        DELETE FROM pool_key WHERE id = ANY (ARRAY(SELECT id FROM oldest))
        RETURNING id, wrap_mechanism, public_key, wrapped_private_key,
          id IN (SELECT id FROM ledger) AS claimed)
      SELECT id, wrap_mechanism, public_key, wrapped_private_key
      FROM gone WHERE claimed ORDER BY id
      """
          .formatted(Move.CLAIMED.account("ledger"));

  // Waits for a transaction that still holds the rows, since it may yet commit.
  private static final String AWAIT_END =
      "SELECT id FROM pool_key WHERE id = ANY (?) ORDER BY id FOR KEY SHARE";

  // A number restricts it to one claim; null means any claim.
  private static final String PUT_BACK =
      """
      WITH released AS (
        DELETE FROM claimed_key
        WHERE instance = ? AND id = ANY (?) AND claim IS NOT DISTINCT FROM coalesce(?::uuid, claim)
        RETURNING id, key_spec, wrapping_key_id),
      %s
      INSERT INTO pool_key
        (id, key_spec, wrapping_key_id, wrap_mechanism, public_key, wrapped_private_key)
      SELECT k.id, k.key_spec, k.wrapping_key_id, k.wrap_mechanism, k.public_key, k.wrapped
      FROM unnest(?, ?, ?, ?, ?, ?)
        AS k (id, key_spec, wrapping_key_id, wrap_mechanism, public_key, wrapped)
      JOIN released USING (id)
      ON CONFLICT DO NOTHING
      """
          .formatted(Move.PUT_BACK.account("released"));

  private final DataSource dataSource;
  private final Statements statements;
  private final String instance;
  private final String wrappingKeyId;

  /** Claims whose commit was not acknowledged; at most one per claiming thread. */
  private final Queue<Unanswered> unanswered = new ConcurrentLinkedQueue<>();

  private record Unanswered(UUID number, List<StoredKey> keys) {}

  Claims(DataSource dataSource, String instance, String wrappingKeyId) {
    this.dataSource = dataSource;
    this.statements = new Statements(dataSource);
    this.instance = instance;
    this.wrappingKeyId = wrappingKeyId;
  }

  /**
   * See {@link WrappedKeyStore#claim}.
   *
   * @param upTo the last place that may be claimed
   */
  List<StoredKey> claim(KeySpec spec, int max, long upTo) {
    putBackUnanswered();
    UUID number = UUID.randomUUID();
    List<StoredKey> claimed = new ArrayList<>();
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      boolean done = false;
      try {
        claimed.addAll(claim(connection, spec, max, upTo, number));
        connection.commit();
        done = true;
      } finally {
        if (!done) {
          connection.rollback();
        }
        connection.setAutoCommit(true);
      }
      return claimed;
    } catch (SQLException e) {
      if (!claimed.isEmpty()) {
        unanswered.add(new Unanswered(number, claimed));
      }
      throw Statements.failure("claim keys", e);
    }
  }

  private List<StoredKey> claim(
      Connection connection, KeySpec spec, int max, long upTo, UUID number) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(CLAIM)) {
      statement.setString(1, spec.label());
      statement.setString(2, wrappingKeyId);
      statement.setLong(3, upTo);
      statement.setInt(4, max);
      statement.setString(5, spec.label());
      statement.setString(6, wrappingKeyId);
      statement.setString(7, instance);
      statement.setObject(8, number);
      statement.setString(9, instance);
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
    }
  }

  /** See {@link WrappedKeyStore#putBack}. */
  int putBack(Collection<StoredKey> keys) {
    putBackUnanswered();
    return keys.isEmpty() ? 0 : putBack(keys, null);
  }

  /**
   * INVARIANT: a ledger row with the number of such a claim belongs to a key that nobody received.
   * A later claim of the key has another number.
   */
  private void putBackUnanswered() {
    for (Unanswered claim = unanswered.peek(); claim != null; claim = unanswered.peek()) {
      awaitEnd(claim);
      int back = putBack(claim.keys(), claim.number());
      unanswered.remove(claim);
      log.info(
          "of a claim whose commit was not answered, {} of {} keys are back in the store",
          back,
          claim.keys().size());
    }
  }

  private void awaitEnd(Unanswered claim) {
    boolean _ =
        statements.execute(
            "wait for the end of a claim",
            AWAIT_END,
            statement -> {
              List<Long> ids = claim.keys().stream().map(StoredKey::id).toList();
              statement.setArray(1, Statements.ids(statement.getConnection(), ids));
              return statement.execute();
            });
  }

  private int putBack(Collection<StoredKey> keys, @Nullable UUID claim) {
    List<Long> ids = keys.stream().map(StoredKey::id).toList();
    List<WrappedKey> wrapped = keys.stream().map(StoredKey::key).toList();
    return statements.execute(
        "put keys back",
        PUT_BACK,
        statement -> {
          Connection connection = statement.getConnection();
          Array idArray = Statements.ids(connection, ids);
          statement.setString(1, instance);
          statement.setArray(2, idArray);
          statement.setObject(3, claim, Types.OTHER);
          statement.setString(4, instance);
          statement.setArray(5, idArray);
          statement.setArray(
              6, Statements.texts(connection, wrapped.stream().map(k -> k.spec().label())));
          statement.setArray(
              7, Statements.texts(connection, wrapped.stream().map(WrappedKey::wrappingKeyId)));
          statement.setArray(
              8, Statements.texts(connection, wrapped.stream().map(WrappedKey::wrapMechanism)));
          statement.setArray(
              9, Statements.bytes(connection, wrapped.stream().map(WrappedKey::publicKey)));
          statement.setArray(
              10,
              Statements.bytes(connection, wrapped.stream().map(WrappedKey::wrappedPrivateKey)));
          return statement.executeUpdate();
        });
  }
}
