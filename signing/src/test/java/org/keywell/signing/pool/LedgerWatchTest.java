package org.keywell.signing.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.keypool.PoolRig.EC;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.PoolConfig;
import org.keywell.keypool.PoolLimits;
import org.keywell.keypool.PoolListener;
import org.keywell.keypool.PooledHsm;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.fake.FakeHsm;
import org.keywell.keypool.store.JdbcWrappedKeyStore;
import org.keywell.keypool.store.KeyLedger;
import org.keywell.signing.database.KeyReports;
import org.keywell.testkit.Await;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.Sql;
import org.springframework.jdbc.datasource.DelegatingDataSource;

@Tag("postgresql")
@Timeout(60)
final class LedgerWatchTest {

  private static final Duration IDLE = Duration.ofSeconds(10);
  private static final Set<String> KNOWN = Set.of("ca-key");
  private static final int STORED = 8;
  private static final int LOADED = 3;

  private final HikariDataSource dataSource =
      PostgresForTests.newDatabase().asService().dataSource();
  private final Sql sql = new Sql(dataSource);
  private final FakeHsm hsm = new FakeHsm();
  private final AtomicLong nanos = new AtomicLong();
  private JdbcWrappedKeyStore store;
  private KeyPools pools;
  private LedgerWatch watch;

  @BeforeEach
  void open() throws InterruptedException {
    store = new JdbcWrappedKeyStore(dataSource, "a", hsm.wrappingKeyId());
    for (int i = 0; i < STORED; i++) {
      LiveKeyPair pair = hsm.generateExtractable(EC);
      store.add(hsm.wrap(pair));
      hsm.destroy(pair.privateKey());
    }
    PoolLimits limits = new PoolLimits(EC, 0, LOADED, LOADED, LOADED);
    pools =
        KeyPools.open(
            new PoolConfig(PoolConfig.Mode.POOLED, List.of(limits), 1, Duration.ZERO, 10),
            List.of(PooledHsm.sole(hsm, store)),
            PoolListener.NONE,
            System::nanoTime);
    watch =
        new LedgerWatch(
            pools, new KeyLedger(dataSource), new KeyReports(dataSource, "a"), KNOWN, nanos::get);
    watch.beforeStart();
    pools.start();
    Await.until(
        "keys are loaded",
        () -> pools.depth(EC).loaded() == LOADED && pools.depth(EC).loading() == 0);
  }

  @AfterEach
  void close() {
    pools.close();
    dataSource.close();
  }

  private Duration lookLater() {
    nanos.addAndGet(IDLE.toNanos());
    return watch.look();
  }

  private long unmatched(KeySpec spec) {
    return watch.unmatched(spec).orElseThrow();
  }

  private long unexplained() {
    return watch.unmatchedIn("hsm").orElseThrow();
  }

  @Test
  void findsEachKeyAccountedFor() throws Exception {
    assertThat(watch.difference(EC)).isEmpty();
    assertThat(lookLater()).isEqualTo(IDLE);

    assertThat(watch.difference(EC)).hasValue(0);
    assertThat(unmatched(EC)).isZero();
    assertThat(unexplained()).isZero();
    assertThat(
            sql.texts(
                "SELECT concat_ws(' ', instance, part, expected, found) FROM key_report ORDER BY 1"))
        .containsExactly("a EC-P256 3 3", "a HSM 3 3", "a stray token keys 0 0");
  }

  @Test
  void findsKeysThatCameOrWentByHand() throws Exception {
    sql.update("DELETE FROM pool_key WHERE id = (SELECT max(id) FROM pool_key)");
    sql.update("DELETE FROM claimed_key WHERE id = (SELECT max(id) FROM claimed_key)");
    lookLater();

    assertThat(watch.difference(EC)).hasValue(2);
    assertThat(unmatched(EC)).as("one more than it has claimed").isEqualTo(1);
    assertThat(unexplained()).isZero();
  }

  @Test
  void findsLiveKeysThatThePoolDoesNotKnow() {
    LiveKeyPair pair = hsm.generateExtractable(EC);
    lookLater();
    assertThat(unexplained()).isEqualTo(1);

    hsm.destroy(pair.privateKey());
    lookLater();
    assertThat(unexplained()).isZero();
    assertThat(unmatched(EC)).isZero();
  }

  @Test
  void reportsKeysInTheTokenThatNobodyIsKnownToHaveMade() throws Exception {
    hsm.putOnToken("ca-key");
    lookLater();
    assertThat(strays()).containsExactly("0");

    hsm.putOnToken("a pool key that is to stay");
    lookLater();
    assertThat(strays()).containsExactly("1");
    assertThat(unexplained()).as("live keys are another matter").isZero();
  }

  private List<String> strays() throws SQLException {
    return sql.texts("SELECT found FROM key_report WHERE part = 'stray token keys'");
  }

  /** Between two of its counts a key may have gone that the other still has. */
  @Test
  void aLookDuringWhichSomethingMovedTeachesNothing() {
    LiveKeyPair foreign = hsm.generateExtractable(EC);
    AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
    DataSource hooked =
        new DelegatingDataSource(dataSource) {
          @Override
          public Connection getConnection() throws SQLException {
            meanwhile.get().run();
            return super.getConnection();
          }
        };
    watch =
        new LedgerWatch(
            pools, new KeyLedger(dataSource), new KeyReports(hooked, "a"), KNOWN, nanos::get);
    watch.beforeStart();
    meanwhile.set(() -> {
      meanwhile.set(() -> {});
      pools.requestBegan();
      hsm.destroy(foreign.privateKey());
    });
    lookLater();
    pools.requestEnded();
    hsm.generateExtractable(EC);

    lookLater();

    assertThat(unexplained()).isZero();
  }

  @Test
  void whileARequestIsAtHandItLooksAtTheDatabaseOnly() {
    pools.requestBegan();
    hsm.generateExtractable(EC);
    assertThat(lookLater()).as("looks for an idle moment").isEqualTo(Duration.ofSeconds(1));

    assertThat(watch.difference(EC)).hasValue(0);
    assertThat(watch.unmatched(EC)).isEmpty();
    pools.requestEnded();
    lookLater();
    assertThat(unexplained()).isEqualTo(1);
  }

  /** Those of a CA that was made in this process, until they are collected. */
  @Test
  void keysThatWereLiveBeforeThePoolsAreNotCounted() {
    LiveKeyPair foreign = hsm.generateExtractable(EC);
    LedgerWatch later =
        new LedgerWatch(
            pools, new KeyLedger(dataSource), new KeyReports(dataSource, "a"), KNOWN, nanos::get);
    pools.unload();
    later.beforeStart();
    later.look();
    assertThat(later.unmatchedIn("hsm")).hasValue(0);

    hsm.destroy(foreign.privateKey());
    later.look();
    hsm.generateExtractable(EC);
    later.look();
    assertThat(later.unmatchedIn("hsm")).as("not in its place").hasValue(1);
  }
}
