package org.keywell.keypool.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.PostgresForTests.Database;

/**
 * During a rolling update the version before goes on by the new schema, and the ledger balances.
 */
@Tag("postgresql")
final class FormerVersionTest {

  private static final String WRAPPING_KEY = WrappedKeyStoreContract.WRAPPING_KEY;
  private static final KeySpec SPEC = KeySpec.EC_P256;

  @Test
  void theVersionBeforeIsCountedBySideOfThisOne() throws SQLException {
    try (HikariDataSource dataSource = PostgresForTests.newDatabase().asService().dataSource()) {
      FormerStore former = new FormerStore(dataSource, "former", WRAPPING_KEY);
      WrappedKeyStore store = new JdbcWrappedKeyStore(dataSource, "new", WRAPPING_KEY);
      for (int i = 0; i < 10; i++) {
        former.add(WrappedKeyStoreContract.key(SPEC));
        store.add(WrappedKeyStoreContract.key(SPEC));
      }
      assertBalance(dataSource, 20, 20, 0, 0, 0, 0);
      List<StoredKey> theirs = former.claim(SPEC, 8);
      List<StoredKey> ours = store.claim(SPEC, 4);
      assertThat(theirs).hasSize(8);
      assertThat(ours).hasSize(4);
      assertBalance(dataSource, 20, 8, 12, 0, 0, 0);

      assertThat(former.putBack(theirs.subList(0, 2))).isEqualTo(2);
      assertThat(store.putBack(ours.subList(0, 1))).isEqualTo(1);
      assertBalance(dataSource, 20, 11, 9, 0, 0, 0);
      former.settle(ids(theirs.subList(2, 5)));
      store.discard(ids(ours.subList(1, 2)));
      assertBalance(dataSource, 20, 11, 5, 3, 0, 1);

      assertThat(former.forfeit()).isEqualTo(3);
      assertBalance(dataSource, 20, 11, 2, 3, 3, 1);
      assertThat(store.forfeitLeftovers()).isEqualTo(2);
      assertBalance(dataSource, 20, 11, 0, 3, 5, 1);
    }
  }

  @Test
  void eachVersionForfeitsWhatTheOtherHadClaimed() throws SQLException {
    try (HikariDataSource dataSource = PostgresForTests.newDatabase().asService().dataSource()) {
      FormerStore former = new FormerStore(dataSource, "same", WRAPPING_KEY);
      WrappedKeyStore store = new JdbcWrappedKeyStore(dataSource, "same", WRAPPING_KEY);
      for (int i = 0; i < 6; i++) {
        store.add(WrappedKeyStoreContract.key(SPEC));
      }
      former.claim(SPEC, 2);
      assertThat(store.forfeitLeftovers()).as("updated").isEqualTo(2);
      assertBalance(dataSource, 6, 4, 0, 0, 2, 0);
      store.claim(SPEC, 3);
      assertThat(former.forfeit()).as("and back").isEqualTo(3);
      assertBalance(dataSource, 6, 1, 0, 0, 5, 0);
    }
  }

  /** The version before is at work while this one starts and brings the schema up to date. */
  @Test
  void theVersionBeforeGoesOnWhenTheSchemaIsBroughtUpToDate() throws SQLException {
    Database database = PostgresForTests.newDatabase("12");
    try (HikariDataSource dataSource = database.dataSource()) {
      FormerStore former = new FormerStore(dataSource, "former", WRAPPING_KEY);
      for (int i = 0; i < 10; i++) {
        former.add(WrappedKeyStoreContract.key(SPEC));
      }
      List<StoredKey> claimed = former.claim(SPEC, 6);
      former.settle(ids(claimed.subList(0, 1)));
      assertBalance(dataSource, 10, 4, 5, 1, 0, 0);

      PostgresForTests.migrate(database);

      assertBalance(dataSource, 10, 4, 5, 1, 0, 0);
      former.settle(ids(claimed.subList(1, 2)));
      former.putBack(claimed.subList(2, 4));
      former.add(WrappedKeyStoreContract.key(SPEC));
      assertBalance(dataSource, 11, 7, 2, 2, 0, 0);
      assertThat(former.claim(SPEC, 1)).hasSize(1);
      assertThat(former.forfeit()).isEqualTo(3);
      assertBalance(dataSource, 11, 6, 0, 2, 3, 0);
    }
  }

  /** From before there was a ledger. */
  @Test
  void theLedgerBeginsWithWhatIsThere() throws SQLException {
    Database database = PostgresForTests.newDatabase("4");
    try (HikariDataSource dataSource = database.dataSource()) {
      try (Connection connection = dataSource.getConnection();
          PreparedStatement add =
              connection.prepareStatement(
                  """
                  INSERT INTO pool_key
                    (key_spec, wrapping_key_id, wrap_mechanism, public_key, wrapped_private_key)
                  VALUES (?, ?, 'AES-KWP', ?, 'ciphertext')
                  """);
          Statement claim = connection.createStatement()) {
        for (int i = 0; i < 9; i++) {
          add.setString(1, SPEC.label());
          add.setString(2, WRAPPING_KEY);
          add.setBytes(3, WrappedKeyStoreContract.key(SPEC).publicKey());
          add.execute();
        }
        claim.execute(
            """
            WITH gone AS (DELETE FROM pool_key WHERE id > 4 RETURNING id, key_spec)
            INSERT INTO claimed_key (id, key_spec, instance) SELECT id, key_spec, 'old' FROM gone
            """);
      }

      PostgresForTests.migrate(database);

      assertBalance(dataSource, 9, 4, 5, 0, 0, 0);
    }
  }

  /** What no version's statement did is what the ledger is there to show. */
  @Test
  void keysThatComeAndGoByHandAreNotCounted() throws SQLException {
    try (HikariDataSource dataSource = PostgresForTests.newDatabase().asService().dataSource();
        Connection connection = dataSource.getConnection();
        Statement byHand = connection.createStatement()) {
      WrappedKeyStore store = new JdbcWrappedKeyStore(dataSource, "new", WRAPPING_KEY);
      for (int i = 0; i < 5; i++) {
        store.add(WrappedKeyStoreContract.key(SPEC));
      }
      byHand.execute("CREATE TEMP TABLE backup AS SELECT * FROM pool_key");
      store.claim(SPEC, 3);
      byHand.execute("INSERT INTO pool_key SELECT * FROM backup WHERE id NOT IN (4, 5)");
      assertThat(balance(dataSource).storedBeyondLedger()).isEqualTo(3);
      assertThat(balance(dataSource).difference()).isEqualTo(3);

      byHand.execute("DELETE FROM pool_key");
      assertThat(balance(dataSource).storedBeyondLedger()).isEqualTo(-2);
      byHand.execute("DELETE FROM claimed_key");
      assertThat(balance(dataSource).claimedBeyondLedger()).isEqualTo(-3);
      assertThat(balance(dataSource).difference()).isEqualTo(5);
    }
  }

  private static List<Long> ids(List<StoredKey> keys) {
    return keys.stream().map(StoredKey::id).toList();
  }

  private static LedgerBalance balance(HikariDataSource dataSource) {
    List<LedgerBalance> balances = new KeyLedger(dataSource).balances();
    assertThat(balances).hasSize(1);
    return balances.getFirst();
  }

  private static void assertBalance(
      HikariDataSource dataSource,
      long generated,
      long stored,
      long claimed,
      long used,
      long forfeited,
      long discarded) {
    LedgerBalance balance = balance(dataSource);
    assertThat(balance)
        .isEqualTo(
            new LedgerBalance(
                SPEC.label(),
                WRAPPING_KEY,
                generated,
                0,
                stored,
                claimed,
                used,
                forfeited,
                discarded,
                balance.outOfStore()));
    assertThat(balance.difference()).isZero();
  }
}
