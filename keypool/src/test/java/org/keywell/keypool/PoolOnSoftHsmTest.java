package org.keywell.keypool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.keypool.PoolRig.EC;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.keypool.store.JdbcWrappedKeyStore;
import org.keywell.keypool.store.WrappedKeyStore;
import org.keywell.testkit.PostgresForTests;

/** The whole pool, as the service opens it, on a real token and a real database. */
@Tag("softhsm")
@Tag("postgresql")
@Timeout(180)
final class PoolOnSoftHsmTest {

  private static final SoftHsmToken TOKEN = SoftHsmToken.create();
  private static final int SIGNERS = 4;
  private static final int KEYS_EACH = 10;
  private static final int KEYS = SIGNERS * KEYS_EACH;

  private static final PostgresForTests.Database DATABASE = PostgresForTests.newDatabase();

  private static HikariDataSource dataSource;

  private final Set<Long> ids = ConcurrentHashMap.newKeySet();
  private Hsm hsm;
  private WrappedKeyStore store;
  private KeyPools pools;

  @BeforeAll
  static void openDatabase() {
    dataSource = DATABASE.asService().dataSource();
  }

  @AfterAll
  static void closeDatabase() {
    dataSource.close();
  }

  @BeforeEach
  void start() {
    execute("TRUNCATE pool_key, claimed_key");
    open();
  }

  @AfterEach
  void stop() {
    hsm.close();
  }

  /** Once more, as a process that starts: only the token and the database are as before. */
  private void open() {
    hsm = TOKEN.open();
    store = new JdbcWrappedKeyStore(dataSource, "instance-1", hsm.wrappingKeyId());
    pools =
        KeyPools.open(
            new PoolConfig(
                PoolConfig.Mode.POOLED,
                List.of(
                    new PoolLimits(EC, 0, 12, 6, 4), new PoolLimits(KeySpec.RSA_2048, 0, 2, 1, 2)),
                1,
                Duration.ZERO,
                10),
            List.of(PooledHsm.sole(hsm, store)),
            PoolListener.NONE,
            System::nanoTime);
  }

  private static void execute(String sql) {
    try (Connection connection = DATABASE.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private void generate(KeySpec spec, int count) throws InterruptedException {
    CountDownLatch stored = new CountDownLatch(count);
    PoolListener listener =
        new PoolListener() {
          @Override
          public void stored(KeySpec told) {
            stored.countDown();
          }
        };
    try (KeyPools filling =
        KeyPools.open(
            PoolConfig.filling(spec, count, 10),
            List.of(PooledHsm.sole(hsm, store)),
            listener,
            System::nanoTime)) {
      filling.start();
      stored.await();
    }
  }

  private void loadUntilThereIsNoNeed() throws InterruptedException {
    while (pools.workers().getFirst().loader().loadNext(Duration.ZERO) != KeyLoader.Step.NO_NEED) {
      // One batch each.
    }
  }

  private boolean use(KeySpec spec) throws InterruptedException {
    KeyLease lease = PoolRig.await(pools, spec).orElseThrow();
    boolean signed = PoolRig.signs(lease, spec);
    boolean destroyed = lease.destroy().succeeded();
    long id = PoolRig.idOf(lease);
    store.discard(List.of(id));
    return signed && destroyed && ids.add(id);
  }

  private boolean useSome() throws InterruptedException {
    boolean good = true;
    for (int i = 0; i < KEYS_EACH; i++) {
      good &= use(EC);
    }
    return good;
  }

  @Test
  void everyKeySignsOnceAndNoneIsLeft() throws Exception {
    generate(EC, KEYS);
    generate(KeySpec.RSA_2048, 2);
    assertThat(hsm.countLiveKeys()).isZero();

    try (KeyPools running = pools) {
      running.start();
      List<TestThread<Boolean>> signers =
          IntStream.range(0, SIGNERS).mapToObj(i -> TestThread.start(this::useSome)).toList();
      for (TestThread<Boolean> signer : signers) {
        assertThat(signer.result()).isTrue();
      }
      assertThat(use(KeySpec.RSA_2048)).isTrue();
    }

    assertThat(ids).hasSize(KEYS + 1);
    assertThat(hsm.countLiveKeys()).isZero();
    assertThat(store.count(EC)).isZero();
    assertThat(store.count(KeySpec.RSA_2048)).as("put back").isEqualTo(1);
    assertThat(store.forfeitLeftovers()).as("the ledger is closed").isZero();
  }

  @Test
  void aCrashForfeitsWhatWasLiveAndBringsNothingBack() throws InterruptedException {
    generate(EC, 10);
    loadUntilThereIsNoNeed();
    KeyLease lost = pools.lease(EC).orElseThrow();
    assertThat(PoolRig.signs(lost, EC)).isTrue();

    hsm.close();
    open();

    assertThat(store.forfeitLeftovers()).isEqualTo(8);
    assertThat(hsm.countLiveKeys()).isZero();
    assertThat(store.count(EC)).isEqualTo(2);
    loadUntilThereIsNoNeed();
    assertThat(PoolRig.idOf(pools.lease(EC).orElseThrow())).isGreaterThan(PoolRig.idOf(lost));
  }

  @Test
  void keysThatWereDamagedInTheDatabaseAreDiscardedAndTheOthersSign() throws InterruptedException {
    generate(EC, 5);
    execute(
        "UPDATE pool_key SET wrapped_private_key ="
            + " set_byte(wrapped_private_key, 40, get_byte(wrapped_private_key, 40) # 1)"
            + " WHERE id < (SELECT max(id) FROM pool_key)");

    loadUntilThereIsNoNeed();

    assertThat(pools.depth(EC).loaded()).isEqualTo(1);
    assertThat(use(EC)).isTrue();
    assertThat(hsm.countLiveKeys()).isZero();
    assertThat(store.forfeitLeftovers()).isZero();
  }

  @Test
  void keysThatWereUnloadedComeBackAfterARestart() throws InterruptedException {
    generate(EC, 4);
    loadUntilThereIsNoNeed();
    assertThat(pools.unload()).isEqualTo(4);
    assertThat(hsm.countLiveKeys()).isZero();

    hsm.close();
    open();

    assertThat(store.forfeitLeftovers()).isZero();
    loadUntilThereIsNoNeed();
    assertThat(use(EC)).isTrue();
  }
}
