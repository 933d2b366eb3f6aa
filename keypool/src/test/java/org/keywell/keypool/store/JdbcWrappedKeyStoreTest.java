package org.keywell.keypool.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.testkit.PostgresForTests;

@Tag("postgresql")
final class JdbcWrappedKeyStoreTest extends WrappedKeyStoreContract {

  private static final PostgresForTests.Database DATABASE = PostgresForTests.newDatabase();

  private static HikariDataSource dataSource;

  @BeforeAll
  static void open() throws SQLException {
    dataSource = DATABASE.asService().dataSource();
    new LoggedMoves(dataSource).begin();
  }

  @AfterAll
  static void close() {
    dataSource.close();
  }

  @BeforeEach
  void empty() throws SQLException {
    try (Connection connection = DATABASE.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "TRUNCATE pool_key, claimed_key, key_ledger, key_reservation, used_key, log_pending");
    }
  }

  @AfterEach
  void theLogTellsOfEachMove() throws SQLException {
    new LoggedMoves(dataSource).assertAreTheLedgers();
  }

  @Override
  WrappedKeyStore store() {
    return new JdbcWrappedKeyStore(dataSource, "instance-1", WRAPPING_KEY);
  }

  @Test
  void settlesWithTheCallersTransactionOrNotAtAll() throws Exception {
    JdbcWrappedKeyStore mine = new JdbcWrappedKeyStore(dataSource, "instance-1", WRAPPING_KEY);
    mine.add(key(KeySpec.RSA_2048));
    List<Long> claimed = mine.claim(KeySpec.RSA_2048, 1).stream().map(StoredKey::id).toList();
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      mine.settle(connection, claimed);
      connection.rollback();
      assertThat(onLedger()).as("rolled back").isEqualTo(1);

      new JdbcWrappedKeyStore(dataSource, "instance-2", WRAPPING_KEY).settle(connection, claimed);
      connection.commit();
      assertThat(onLedger()).as("settled by another instance").isEqualTo(1);

      mine.settle(connection, List.of());
      mine.settle(connection, claimed);
      connection.commit();
      assertThat(onLedger()).isZero();
      connection.setAutoCommit(true);
    }
    assertThat(mine.forfeitLeftovers()).isZero();
  }

  private static long onLedger() throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM claimed_key")) {
      row.next();
      return row.getLong(1);
    }
  }

  @Test
  void seesOnlyKeysUnderItsOwnWrappingKey() {
    store().add(key(KeySpec.RSA_2048));
    WrappedKeyStore other = new JdbcWrappedKeyStore(dataSource, "instance-2", "another");

    assertThat(other.count(KeySpec.RSA_2048)).isZero();
    assertThat(other.claim(KeySpec.RSA_2048, 1)).isEmpty();
  }

  /** Both use one token, and its limit: the one extends it, the other is quicker to claim. */
  @Test
  void aClaimGoesOnWhereAnotherInstanceHasTakenAllWithinTheLimit() {
    WrappedKeyStore other = new JdbcWrappedKeyStore(dataSource, "instance-2", WRAPPING_KEY);
    other.add(key(KeySpec.RSA_2048));
    long left = other.add(key(KeySpec.RSA_2048));
    ClaimLimit limit =
        new ClaimLimit() {
          private int extensions;

          @Override
          public long upTo(KeySpec spec) {
            return extensions < 2 ? extensions : Long.MAX_VALUE;
          }

          @Override
          public boolean extend(KeySpec spec, int wanted, long before) {
            extensions++;
            if (extensions == 1) {
              assertThat(other.claim(spec, 1)).hasSize(1);
            }
            return extensions <= 2;
          }
        };
    WrappedKeyStore store = new JdbcWrappedKeyStore(dataSource, "instance-1", WRAPPING_KEY, limit);

    assertThat(store.claim(KeySpec.RSA_2048, 1)).extracting(StoredKey::id).containsExactly(left);
    assertThat(store.claim(KeySpec.RSA_2048, 1)).isEmpty();
  }

  @Test
  void anotherInstanceNeitherForfeitsNorPutsBackWhatThisOneClaimed() {
    WrappedKeyStore mine = store();
    WrappedKeyStore other = new JdbcWrappedKeyStore(dataSource, "instance-2", WRAPPING_KEY);
    mine.add(key(KeySpec.RSA_2048));
    List<StoredKey> claimed = mine.claim(KeySpec.RSA_2048, 1);

    assertThat(other.forfeitLeftovers()).isZero();
    assertThat(other.putBack(claimed)).isZero();
    assertThat(mine.putBack(claimed)).isEqualTo(1);
  }

  /** A claim that waited on another's rows would stop a whole instance behind a slow one. */
  @Test
  void passesOverRowsThatAnotherTransactionHolds() throws SQLException {
    WrappedKeyStore store = store();
    long held = store.add(key(KeySpec.RSA_2048));
    long free = store.add(key(KeySpec.RSA_2048));
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("SELECT 1 FROM pool_key WHERE id = " + held + " FOR UPDATE");

      assertThat(store.claim(KeySpec.RSA_2048, 2)).extracting(StoredKey::id).containsExactly(free);
      connection.rollback();
    }
  }

  /** Rule 1, and a pool that goes on: a backup was restored while its keys were in use. */
  @Test
  void aRowThatIsBroughtBackWhileItsKeyIsClaimedIsDropped() throws SQLException {
    WrappedKeyStore store = store();
    store.add(key(KeySpec.RSA_2048));
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TEMP TABLE backup AS SELECT * FROM pool_key");
      List<StoredKey> inUse = store.claim(KeySpec.RSA_2048, 1);
      statement.execute("INSERT INTO pool_key SELECT * FROM backup");
      long honest = store.add(key(KeySpec.RSA_2048));

      assertThat(store.claim(KeySpec.RSA_2048, 5))
          .extracting(StoredKey::id)
          .containsExactly(honest);
      assertThat(store.count(KeySpec.RSA_2048)).isZero();

      statement.execute("INSERT INTO pool_key SELECT * FROM backup");
      assertThat(store.putBack(inUse)).as("its row is there already").isZero();
      assertThat(store.count(KeySpec.RSA_2048)).isEqualTo(1);
      statement.execute("DROP TABLE backup");
    }
  }

  /** The index tells keys apart by their octets, so the same key in others must not get in. */
  @ParameterizedTest
  @EnumSource
  void aPublicKeyIsStoredInOneEncodingOnly(KeySpec spec) {
    WrappedKeyStore store = store();
    byte[] encoded = PublicKeys.of(spec);
    store.add(with(spec, encoded));

    for (int at = 0; at < encoded.length; at++) {
      byte[] changed = encoded.clone();
      changed[at] ^= 1;
      if (!PublicKeyForm.fits(spec, changed)) {
        assertThatThrownBy(() -> store.add(with(spec, changed)))
            .as("octet %s", at)
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("pool_key_one_encoding");
      }
    }
    assertThatThrownBy(() -> store.add(with(spec, Arrays.copyOf(encoded, encoded.length + 2))))
        .hasMessageContaining("pool_key_one_encoding");
    assertThat(store.count(spec)).isEqualTo(1);
    // What the store takes is what the loader takes, so no honest key is lost on the way.
    byte[] another = encoded.clone();
    another[encoded.length / 2] ^= 1;
    store.add(with(spec, another));
    assertThat(store.claim(spec, 2)).hasSize(2).allMatch(StoredKey::isCanonical);
  }

  private static WrappedKey with(KeySpec spec, byte[] publicKey) {
    return new WrappedKey(spec, WRAPPING_KEY, "AES-KWP", publicKey, new byte[] {1, 2, 3});
  }

  @Test
  void knowsUsedKeysByTheirIdAndByTheirPublicKey() throws SQLException {
    WrappedKeyStore store = store();
    List<Long> ids = IntStream.range(0, 3).mapToObj(_ -> store.add(key(KeySpec.EC_P256))).toList();
    List<StoredKey> claimed = store.claim(KeySpec.EC_P256, 3);
    try (Connection connection = dataSource.getConnection();
        PreparedStatement record = connection.prepareStatement(RECORD)) {
      record.setObject(1, ids.get(0), Types.BIGINT);
      record.setBytes(2, null);
      record.executeUpdate();
      record.setObject(1, null, Types.BIGINT);
      record.setBytes(2, claimed.get(1).key().publicKey());
      record.executeUpdate();
    }

    assertThat(store.used(claimed)).containsExactlyInAnyOrderElementsOf(ids.subList(0, 2));
  }

  private static final String RECORD =
      """
      INSERT INTO used_key (request_id, request_received, key_id, public_key_sha256)
      VALUES (gen_random_uuid(), now(), ?, sha256(?))
      """;

  @Test
  void tellsWhatItCouldNotDo() {
    HikariDataSource closed = PostgresForTests.newDatabase().asService().dataSource();
    closed.close();
    WrappedKeyStore store = new JdbcWrappedKeyStore(closed, "instance-1", WRAPPING_KEY);

    assertThatThrownBy(() -> store.count(KeySpec.RSA_2048))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("count keys");
  }
}
