package org.keywell.service.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.keypool.PoolRig.EC;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.fake.FakeHsm;
import org.keywell.keypool.store.JdbcWrappedKeyStore;
import org.keywell.keypool.store.StoredKey;
import org.keywell.signing.record.Recovery;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.Sql;

/** What somebody who writes to the database may exchange without a row too many or too few. */
@Tag("postgresql")
@Timeout(60)
final class LedgerCheckTest {

  private static final String RECORD =
      """
      WITH record AS (
      INSERT INTO sign_request
        (request_id, request_sha256, status, failure, instance, caller, pool_mode,
         digest_algorithm, digest, signature_algorithm, key_spec, request_received,
         request_finished, key_id, withheld_key_id, public_key_sha256, destruction_return_value)
      VALUES (gen_random_uuid(), '', 'failed', ?, 'a', '', 'pooled', '', '', '', 'EC-P256', now(),
        now(), ?, ?, sha256(?), ?)
      RETURNING *)
      INSERT INTO used_key
      SELECT coalesce(key_id, withheld_key_id), request_received, request_id, public_key_sha256
      FROM record
      """;

  private static final int USED = 20;

  private final PostgresForTests.Database database = PostgresForTests.newDatabase();
  private final HikariDataSource dataSource = database.asService().dataSource();
  private final HikariDataSource administrator = database.dataSource();
  private final Sql sql = new Sql(administrator);
  private final FakeHsm hsm = new FakeHsm();
  private JdbcWrappedKeyStore store;
  private List<StoredKey> used;

  @BeforeEach
  void use() throws SQLException {
    store = new JdbcWrappedKeyStore(dataSource, "a", hsm.wrappingKeyId());
    generate(store, 40);
    used = store.claim(EC, USED);
    for (StoredKey key : used) {
      record(dataSource, store, key);
    }
  }

  @AfterEach
  void close() {
    dataSource.close();
    administrator.close();
  }

  private void generate(JdbcWrappedKeyStore into, int keys) {
    for (int i = 0; i < keys; i++) {
      LiveKeyPair pair = hsm.generateExtractable(EC);
      into.add(hsm.wrap(pair));
      hsm.destroy(pair.privateKey());
    }
  }

  private static void record(HikariDataSource into, JdbcWrappedKeyStore keys, StoredKey key)
      throws SQLException {
    record(into, keys, key, "hsm-unavailable", key.id(), null, 0L);
  }

  private static void record(
      HikariDataSource into,
      JdbcWrappedKeyStore keys,
      StoredKey key,
      String failure,
      @Nullable Long named,
      @Nullable Long withheld,
      @Nullable Long destruction)
      throws SQLException {
    try (Connection connection = into.getConnection();
        PreparedStatement insert = connection.prepareStatement(RECORD)) {
      connection.setAutoCommit(false);
      insert.setString(1, failure);
      insert.setObject(2, named, Types.BIGINT);
      insert.setObject(3, withheld, Types.BIGINT);
      insert.setBytes(4, named == null ? null : key.key().publicKey());
      insert.setObject(5, destruction, Types.BIGINT);
      insert.executeUpdate();
      keys.settle(connection, List.of(key.id()));
      connection.commit();
      connection.setAutoCommit(true);
    }
  }

  private void open(StoredKey key) throws SQLException {
    sql.update(
        """
        INSERT INTO ca_chain VALUES ('', '{}') ON CONFLICT DO NOTHING;
        WITH record AS (
        INSERT INTO sign_request
          (request_id, request_sha256, status, instance, caller, pool_mode, digest_algorithm,
           signature_algorithm, key_spec, request_received, key_id, wrapping_key_id,
           public_key_sha256, pre_generated, certificate, certificate_serial, ca_chain_id,
           certified, act_digests, act_opened, act_expires)
        VALUES (gen_random_uuid(), '', 'open', 'a', '', 'pooled', '', '', 'EC-P256', now(), %d,
          '', sha256('%d'), true, '', '', '', now(), 1, now(), now())
        RETURNING *)
        INSERT INTO used_key
        SELECT key_id, request_received, request_id, public_key_sha256 FROM record
        """
            .formatted(key.id(), key.id()));
  }

  private LedgerCheck look() {
    return LedgerCheck.look(dataSource);
  }

  @Test
  void findsNothingInWhatTheServiceDoes() throws Exception {
    List<StoredKey> claimed = store.claim(EC, 6);
    record(dataSource, store, claimed.get(0), "key-reused", null, claimed.get(0).id(), 0L);
    record(
        dataSource, store, claimed.get(1), "record-unavailable", claimed.get(1).id(), null, null);
    store.discard(List.of(claimed.get(2).id()));
    store.putBack(claimed.subList(3, 4));
    open(claimed.get(4));
    assertThat(look().text()).contains("each key is accounted for").doesNotContain("NOT");

    try (Connection connection = dataSource.getConnection()) {
      int _ = Recovery.closeInFlight(connection, "a");
    }
    store.forfeitLeftovers();

    assertThat(look().text()).contains("each key is accounted for").doesNotContain("NOT");
  }

  @Test
  void findsFreshRowsThatWereReplacedByUsedOnes() throws Exception {
    for (StoredKey key : used.subList(0, 3)) {
      try (Connection connection = administrator.getConnection();
          PreparedStatement replace =
              connection.prepareStatement(
                  """
                  UPDATE pool_key SET public_key = ?, wrapped_private_key = ?
                  WHERE id = (SELECT max(id) FROM pool_key WHERE created_at > '2000-01-01')
                  """)) {
        replace.setBytes(1, key.key().publicKey());
        replace.setBytes(2, key.key().wrappedPrivateKey());
        replace.executeUpdate();
        sql.update(
            "UPDATE pool_key SET created_at = '1999-12-31' WHERE id = (SELECT max(id) FROM pool_key"
                + " WHERE created_at > '2000-01-01')");
      }
    }

    assertThat(look().isBalanced()).isFalse();
    assertThat(look().text()).contains("3 stored keys have been used");
  }

  @Test
  void findsStoredRowsUnderTheIdsOfUsedKeys() throws Exception {
    sql.update(
        "UPDATE pool_key SET id = %d WHERE id = (SELECT max(id) FROM pool_key)"
            .formatted(used.getFirst().id()));

    assertThat(look().isBalanced()).isFalse();
    assertThat(look().text()).contains("1 stored keys have been used");
  }

  @Test
  void findsMovesThatWereChangedFromUsedToForfeited() throws Exception {
    sql.update("UPDATE key_ledger SET keys = keys - 5 WHERE move = 'used'");
    sql.update(
        """
        INSERT INTO key_ledger SELECT instance, key_spec, wrapping_key_id, 'forfeited', 5
        FROM key_ledger WHERE move = 'used'
        """);

    assertThat(look().isBalanced()).isFalse();
    assertThat(look().text()).contains("15 keys used, 20 on record: DIFFERENT");
  }

  @Test
  void findsRecordsThatWereDeleted() throws Exception {
    sql.update(
        "DELETE FROM sign_request WHERE key_id IN (SELECT key_id FROM sign_request LIMIT 10)");

    assertThat(look().isBalanced()).isFalse();
    assertThat(look().text()).contains("20 keys used, 10 on record: DIFFERENT");
  }

  /** As an archive does. */
  @Test
  void recordsThatWereMovedAwayAreWrittenDown() throws Exception {
    sql.update(
        """
        WITH gone AS (
          DELETE FROM sign_request WHERE request_finished < now() + interval '1 day'
          RETURNING coalesce(key_id, withheld_key_id) AS key)
        INSERT INTO record_correction (records, reason)
        SELECT count(key), 'moved to the archive' FROM gone
        """);

    assertThat(sql.count("SELECT count(*) FROM sign_request")).isZero();
    assertThat(look().isBalanced()).isTrue();
    assertThat(look().text()).contains("20 keys used, 0 on record, 20 corrected");
  }

  @Test
  void findsKeysThatAreBothStoredAndClaimed() throws Exception {
    StoredKey claimed = store.claim(EC, 1).getFirst();
    sql.update(
        "UPDATE pool_key SET id = %d WHERE id = (SELECT max(id) FROM pool_key)"
            .formatted(claimed.id()));

    assertThat(look().isBalanced()).isFalse();
    assertThat(look().text()).contains("1 keys are both stored and claimed");
  }

  @Test
  void findsClaimedKeysThatHaveBeenUsed() throws Exception {
    StoredKey claimed = store.claim(EC, 1).getFirst();
    sql.update(
        "UPDATE claimed_key SET id = %d WHERE id = %d"
            .formatted(used.getFirst().id(), claimed.id()));

    assertThat(look().isBalanced()).isFalse();
    assertThat(look().text()).contains("1 claimed keys have been used");
  }

  /** The unique index compares public keys only. */
  @Test
  void findsOnePrivateKeyInTwoRows() throws Exception {
    sql.update(
        """
        UPDATE pool_key SET wrapped_private_key =
          (SELECT wrapped_private_key FROM pool_key ORDER BY id LIMIT 1)
        WHERE id = (SELECT max(id) FROM pool_key)
        """);

    assertThat(look().isBalanced()).isFalse();
    assertThat(look().text()).contains("1 stored keys are copies of others");
  }

  @Test
  void recordsFromBeforeTheLedgerAreNoDifference() throws Exception {
    PostgresForTests.Database earlier = PostgresForTests.newDatabase("13");
    try (HikariDataSource before = earlier.dataSource()) {
      addWhatTheStoreNeedsBeyondThatSchema(new Sql(before));
      JdbcWrappedKeyStore keys = new JdbcWrappedKeyStore(before, "a", hsm.wrappingKeyId());
      generate(keys, 10);
      for (StoredKey key : keys.claim(EC, 6)) {
        record(before, keys, key);
      }
      new Sql(before)
          .update("UPDATE key_ledger SET keys = keys - 4 WHERE move IN ('used', 'claimed')");
      new Sql(before).update("UPDATE key_ledger SET keys = keys - 4 WHERE move = 'generated'");
      new Sql(before).update("DROP TABLE log_tree, log_pending, used_key");
      new Sql(before).update("DROP FUNCTION log_of_keys");
      new Sql(before).update("ALTER TABLE pool_key DROP COLUMN place");
      PostgresForTests.migrate(earlier);

      assertThat(LedgerCheck.look(before).text()).doesNotContain("DIFFERENT");
      assertThat(LedgerCheck.look(before).isBalanced()).isTrue();
    }
  }

  /** Its statements name the log and places, of which there are none. */
  private static void addWhatTheStoreNeedsBeyondThatSchema(Sql earlier) throws SQLException {
    earlier.update("ALTER TABLE pool_key ADD COLUMN place bigint GENERATED BY DEFAULT AS IDENTITY");
    earlier.update("CREATE TABLE log_tree ()");
    earlier.update("CREATE TABLE log_pending (entry bytea)");
    earlier.update(
        "CREATE TABLE used_key (key_id bigint, request_received timestamptz, request_id uuid,"
            + " public_key_sha256 bytea)");
    earlier.update(
        "CREATE FUNCTION log_of_keys(text, text, text, text, bigint[]) RETURNS bytea"
            + " LANGUAGE sql RETURN ''::bytea");
  }
}
