package org.keywell.signing.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.keypool.PoolRig.EC;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.keypool.DeviceRole;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.PoolConfig;
import org.keywell.keypool.PoolLimits;
import org.keywell.keypool.PoolListener;
import org.keywell.keypool.PooledHsm;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.fake.FakeHsm;
import org.keywell.keypool.store.JdbcWrappedKeyStore;
import org.keywell.keypool.store.KeyLedger;
import org.keywell.signing.database.KeyReports;
import org.keywell.testkit.Await;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.Sql;

/** Two devices with one wrapping key: each is compared by itself. */
@Tag("postgresql")
@Timeout(60)
final class LedgerWatchOfSeveralTest {

  private static final Set<String> KNOWN = Set.of();
  private static final int LOADED = 2;

  private final HikariDataSource dataSource =
      PostgresForTests.newDatabase().asService().dataSource();
  private final Sql sql = new Sql(dataSource);
  private final FakeHsm east = new FakeHsm();
  private final FakeHsm west = east.restarted();
  private final AtomicLong nanos = new AtomicLong();
  private KeyPools pools;
  private LedgerWatch watch;

  @BeforeEach
  void open() throws InterruptedException {
    JdbcWrappedKeyStore store = new JdbcWrappedKeyStore(dataSource, "a", east.wrappingKeyId());
    for (int i = 0; i < 3 * LOADED; i++) {
      LiveKeyPair pair = east.generateExtractable(EC);
      store.add(east.wrap(pair));
      east.destroy(pair.privateKey());
    }
    PoolLimits limits = new PoolLimits(EC, 0, LOADED, LOADED, LOADED);
    pools =
        KeyPools.open(
            new PoolConfig(PoolConfig.Mode.POOLED, List.of(limits), 1, Duration.ZERO, 10),
            List.of(
                new PooledHsm("east", DeviceRole.BOTH, 1, east, store),
                new PooledHsm("west", DeviceRole.BOTH, 1, west, store)),
            PoolListener.NONE,
            System::nanoTime);
    watch =
        new LedgerWatch(
            pools, new KeyLedger(dataSource), new KeyReports(dataSource, "a"), KNOWN, nanos::get);
    watch.beforeStart();
    pools.start();
    Await.until(
        "keys are loaded in both",
        () ->
            pools.devices().stream()
                .allMatch(device ->
                    device.depth(EC).loaded() == LOADED && device.depth(EC).loading() == 0));
  }

  @AfterEach
  void close() {
    pools.close();
    dataSource.close();
  }

  private void look() {
    nanos.addAndGet(Duration.ofMinutes(1).toNanos());
    watch.look();
  }

  private List<String> reports() throws SQLException {
    return sql.texts(
        """
        SELECT concat_ws(' ', part, expected, found) FROM key_report
        WHERE NOT starts_with(part, 'stray') ORDER BY 1
        """);
  }

  @Test
  void whatOneHasTooMuchIsNotWhatTheOtherLacks() throws Exception {
    look();
    assertThat(reports()).containsExactly("EC-P256 4 4", "HSM east 2 2", "HSM west 2 2");

    var _ = west.generateExtractable(EC);
    look();

    assertThat(watch.unmatchedIn("east")).hasValue(0);
    assertThat(watch.unmatchedIn("west")).hasValue(1);
    assertThat(watch.unmatched(EC)).as("claimed by this instance, wherever they are").hasValue(0);
    assertThat(reports()).containsExactly("EC-P256 4 4", "HSM east 2 2", "HSM west 2 3");
  }

  @Test
  void straysAreCountedInEachDevice() throws Exception {
    west.putOnToken("left by nobody");
    look();

    assertThat(
            sql.texts(
                """
                SELECT concat_ws(' ', part, expected, found) FROM key_report
                WHERE starts_with(part, 'stray') ORDER BY 1
                """))
        .containsExactly("stray token keys east 0 0", "stray token keys west 0 1");
  }

  @Test
  void aDeviceThatIsDownIsLeftOut() throws Exception {
    look();
    west.faults().down("a test says so");
    look();

    assertThat(watch.unmatchedIn("east")).hasValue(0);
    assertThat(watch.unmatchedIn("west")).isEmpty();
    assertThat(reports()).containsExactly("EC-P256 4 4", "HSM east 2 2");

    west.faults().up();
    look();
    assertThat(watch.unmatchedIn("west")).hasValue(0);
  }
}
