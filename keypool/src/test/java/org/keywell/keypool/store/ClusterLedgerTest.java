package org.keywell.keypool.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.PostgresForTests;

/**
 * Several instances on one database: whatever they do at the same time, and wherever one of them
 * stops, the ledger balances and {@code max-stored} holds.
 */
@Tag("postgresql")
@Timeout(120)
final class ClusterLedgerTest {

  private static final String WRAPPING_KEY = WrappedKeyStoreContract.WRAPPING_KEY;
  private static final KeySpec[] SPECS = {KeySpec.EC_P256, KeySpec.RSA_2048};
  private static final int INSTANCES = 3;
  private static final int STEPS = 250;
  private static final int MAX = 25;

  private HikariDataSource dataSource;

  @BeforeEach
  void open() {
    dataSource = PostgresForTests.newDatabase().asService().dataSource();
  }

  @AfterEach
  void close() {
    dataSource.close();
  }

  @Test
  void storedKeysAndThoseInTheMakingNeverExceedTheLimit() throws Exception {
    run(false);
  }

  @Test
  void theLedgerBalancesAtEachMoment() throws Exception {
    run(true);
  }

  /**
   * @param puttingBack whether claimed keys go back, which may take the store beyond its limit
   */
  private void run(boolean puttingBack) throws Exception {
    AtomicBoolean running = new AtomicBoolean(true);
    try (ExecutorService threads = Executors.newFixedThreadPool(INSTANCES + 1)) {
      Future<Integer> looks = threads.submit(() -> look(running, !puttingBack));
      List<Future<?>> instances = new ArrayList<>();
      for (int i = 0; i < INSTANCES; i++) {
        int number = i;
        instances.add(
            threads.submit(() -> {
              new RandomInstance(number, puttingBack).live();
              return null;
            }));
      }
      for (Future<?> instance : instances) {
        instance.get();
      }
      running.set(false);
      assertThat(looks.get()).isPositive();
    }
    for (LedgerBalance balance : new KeyLedger(dataSource).balances()) {
      assertThat(balance.difference()).as("%s", balance).isZero();
      assertThat(balance.claimed()).isZero();
      assertThat(balance.generated())
          .isEqualTo(balance.stored() + balance.used() + balance.forfeited() + balance.discarded())
          .isGreaterThan(MAX);
    }
  }

  private int look(AtomicBoolean running, boolean limited) throws SQLException {
    int looks = 0;
    while (running.get()) {
      for (LedgerBalance balance : new KeyLedger(dataSource).balances()) {
        assertThat(balance.difference()).as("%s", balance).isZero();
      }
      if (limited) {
        assertThat(mostStoredAndReserved()).isLessThanOrEqualTo(MAX);
      }
      looks++;
    }
    return looks;
  }

  private long mostStoredAndReserved() throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                SELECT coalesce(max(keys), 0) FROM (
                  SELECT key_spec, sum(keys) AS keys FROM (
                    SELECT key_spec, keys FROM key_reservation
                    UNION ALL SELECT key_spec, 1 FROM pool_key) AS k GROUP BY 1) AS s
                """)) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Does what a service does, in any order; now and then it vanishes and another settles that. */
  private final class RandomInstance {

    private final Random random;
    private final int number;
    private final boolean puttingBack;
    private final List<StoredKey> claimed = new ArrayList<>();
    private final int[] places = new int[SPECS.length];
    private int run;
    private JdbcWrappedKeyStore store;

    RandomInstance(int number, boolean puttingBack) {
      this.random = new Random(20_260_400 + number);
      this.number = number;
      this.puttingBack = puttingBack;
      this.store = start();
    }

    private JdbcWrappedKeyStore start() {
      return new JdbcWrappedKeyStore(dataSource, name(), WRAPPING_KEY);
    }

    private String name() {
      return "instance-%d-%d".formatted(number, run);
    }

    void live() throws SQLException {
      for (int step = 0; step < STEPS; step++) {
        step();
      }
      vanish();
    }

    private void step() throws SQLException {
      int which = random.nextInt(SPECS.length);
      KeySpec spec = SPECS[which];
      switch (random.nextInt(12)) {
        case 0, 1 -> places[which] += store.reserve(spec, MAX, 1 + random.nextInt(6));
        case 2, 3, 4, 5 -> {
          if (places[which] > 0) {
            places[which]--;
            store.addReserved(List.of(WrappedKeyStoreContract.key(spec)));
          }
        }
        case 6 -> {
          places[which] = random.nextInt(places[which] + 1);
          store.keepReserved(spec, places[which]);
        }
        case 7, 8 -> claimed.addAll(store.claim(spec, 1 + random.nextInt(5)));
        case 9 -> settle(some(), random.nextInt(4) > 0);
        case 10 -> {
          if (puttingBack) {
            List<StoredKey> keys = some();
            assertThat(store.putBack(keys)).isEqualTo(keys.size());
          } else {
            store.discard(some().stream().map(StoredKey::id).toList());
          }
        }
        default -> {
          if (random.nextInt(10) == 0) {
            vanish();
          } else {
            store.count(spec);
          }
        }
      }
    }

    private List<StoredKey> some() {
      List<StoredKey> taken = new ArrayList<>();
      for (int count = random.nextInt(6); count > 0 && !claimed.isEmpty(); count--) {
        taken.add(claimed.remove(random.nextInt(claimed.size())));
      }
      return taken;
    }

    private void settle(List<StoredKey> keys, boolean commit) throws SQLException {
      try (Connection connection = dataSource.getConnection()) {
        connection.setAutoCommit(false);
        store.settle(connection, keys.stream().map(StoredKey::id).toList());
        if (commit) {
          connection.commit();
        } else {
          connection.rollback();
          claimed.addAll(keys);
        }
        connection.setAutoCommit(true);
      }
    }

    /** Two heirs come at the same time, as two instances may. */
    private void vanish() throws SQLException {
      List<Integer> forfeited =
          IntStream.range(0, 2).parallel().mapToObj(heir -> inherit("heir-" + heir)).toList();
      assertThat(forfeited.stream().mapToInt(Integer::intValue).sum()).isEqualTo(claimed.size());
      claimed.clear();
      Arrays.fill(places, 0);
      run++;
      store = start();
    }

    private int inherit(String heir) {
      try (Connection connection = dataSource.getConnection()) {
        connection.setAutoCommit(false);
        Estate estate = new Estate(connection, heir + "-of-" + number);
        int forfeited = estate.forfeit(name());
        estate.takeOverCounters(name());
        connection.commit();
        connection.setAutoCommit(true);
        return forfeited;
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
