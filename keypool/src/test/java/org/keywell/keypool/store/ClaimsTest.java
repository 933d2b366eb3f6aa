package org.keywell.keypool.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.keywell.keypool.store.WrappedKeyStoreContract.WRAPPING_KEY;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.PostgresForTests;

/** The answer to a claim's commit is lost: no key is lost with it, and none is claimed twice. */
@Tag("postgresql")
@Timeout(60)
final class ClaimsTest {

  private static final KeySpec SPEC = KeySpec.EC_P256;

  private HikariDataSource dataSource;
  private LossyDataSource lossy;
  private JdbcWrappedKeyStore store;
  private List<Long> all;

  @BeforeEach
  void open() throws SQLException {
    dataSource = PostgresForTests.newDatabase().asService().dataSource();
    new LoggedMoves(dataSource).begin();
    lossy = new LossyDataSource(dataSource);
    store = new JdbcWrappedKeyStore(lossy, "one", WRAPPING_KEY);
    for (int i = 0; i < 4; i++) {
      store.add(WrappedKeyStoreContract.key(SPEC));
    }
    List<StoredKey> keys = store.claim(SPEC, 4);
    all = ids(keys);
    store.putBack(keys);
  }

  @AfterEach
  void close() throws SQLException {
    new LoggedMoves(dataSource).assertAreTheLedgers();
    assertThat(new KeyLedger(dataSource).balances().getFirst().difference()).isZero();
    dataSource.close();
  }

  @Test
  void whatWasCommittedGoesBackBeforeTheNextClaim() throws SQLException {
    lossy.loseNextAnswer();
    claimFails();
    assertThat(claimed()).isEqualTo(3);

    List<StoredKey> next = store.claim(SPEC, 2);

    assertThat(ids(next)).as("the next, then those that came back").contains(all.get(3));
    assertThat(all).containsAll(ids(next));
    assertThat(claimed()).isEqualTo(2);
    assertThat(store.count(SPEC)).isEqualTo(2);
  }

  @Test
  void whatWasCommittedGoesBackAtAnOrderlyStop() throws SQLException {
    lossy.loseNextAnswer();
    claimFails();

    assertThat(store.putBack(List.of())).as("loaded keys").isZero();

    assertThat(claimed()).isZero();
    assertThat(store.count(SPEC)).isEqualTo(4);
  }

  @Test
  void whatWasNotCommittedIsWhoeversItIsByThen() throws SQLException {
    lossy.loseNextCommit();
    claimFails();
    WrappedKeyStore another = new JdbcWrappedKeyStore(dataSource, "two", WRAPPING_KEY);
    List<StoredKey> theirs = another.claim(SPEC, 3);

    assertThat(ids(store.claim(SPEC, 4))).isEqualTo(all.subList(3, 4));
    assertThat(another.onLedger(all)).containsExactlyInAnyOrderElementsOf(ids(theirs));
  }

  /** Rule 1: as by the loader of another device of the same instance. */
  @Test
  void whatThisInstanceHasClaimedByAnotherClaimStaysClaimed() throws SQLException {
    lossy.loseNextCommit();
    claimFails();
    WrappedKeyStore same = new JdbcWrappedKeyStore(dataSource, "one", WRAPPING_KEY);
    List<StoredKey> loaded = same.claim(SPEC, 3);

    assertThat(ids(store.claim(SPEC, 4))).isEqualTo(all.subList(3, 4));

    assertThat(store.onLedger(ids(loaded))).hasSize(3);
    assertThat(claimed()).isEqualTo(4);
  }

  /** The server has not noticed yet that nobody waits for the end of the transaction. */
  @Test
  void aClaimThatMayBeCommittedYetIsWaitedFor() throws Exception {
    lossy.leaveNextCommitOpen();
    claimFails();
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      Future<List<StoredKey>> next = thread.submit(() -> store.claim(SPEC, 4));
      awaitALockThatIsWaitedFor();
      assertThat(next.isDone()).isFalse();

      lossy.commitNow();

      assertThat(ids(next.get(20, TimeUnit.SECONDS))).isEqualTo(all);
    }
    assertThat(claimed()).isEqualTo(4);
  }

  @Test
  void aClaimThatNeverGotSoFarIsNothing() throws SQLException {
    lossy.loseNextStatement();
    claimFails();

    assertThat(store.count(SPEC)).isEqualTo(4);
    assertThat(claimed()).isZero();
  }

  private void claimFails() {
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> store.claim(SPEC, 3))
        .withMessageContaining("claim keys");
  }

  private void awaitALockThatIsWaitedFor() throws SQLException, InterruptedException {
    while (count("SELECT count(*) FROM pg_locks WHERE NOT granted") == 0) {
      Thread.sleep(10);
    }
  }

  private long claimed() throws SQLException {
    return count("SELECT count(*) FROM claimed_key");
  }

  private long count(String query) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = connection.prepareStatement(query)) {
      return Statements.singleLong(statement);
    }
  }

  private static List<Long> ids(List<StoredKey> keys) {
    return keys.stream().map(StoredKey::id).toList();
  }
}
