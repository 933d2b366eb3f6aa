package org.keywell.signing.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.keywell.keypool.PoolRig.EC;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.keypool.PoolRig;
import org.keywell.keypool.store.InMemoryWrappedKeyStore.Call;
import org.keywell.keypool.store.StoreException;
import org.keywell.signing.database.DatabaseClock;
import org.keywell.signing.database.InstanceLock;
import org.keywell.testkit.Await;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.Sql;

/** An instance that was cut off, and that another took for gone meanwhile. */
@Tag("postgresql")
@Timeout(60)
final class InstanceWatchTest {

  private final HikariDataSource dataSource =
      PostgresForTests.newDatabase().asService().dataSource();
  private final Sql sql = new Sql(dataSource);
  private final PoolRig rig = PoolRig.of(3, 3, 3);
  private final List<Boolean> suspended = new ArrayList<>();
  private InstanceLock lock;
  private InstanceWatch watch;

  @BeforeEach
  void open() throws Exception {
    rig.loaded(6);
    lock = InstanceLock.acquire(dataSource, "a");
    watch =
        new InstanceWatch(
            lock,
            new DatabaseClock(Duration.ofSeconds(10), InstantSource.system(), System::nanoTime),
            suspended::add,
            rig.pools);
  }

  @AfterEach
  void close() throws Exception {
    lock.close();
    dataSource.close();
  }

  private void cutOff() throws Exception {
    sql.count("SELECT count(pg_terminate_backend(pid)) FROM pg_locks WHERE locktype = 'advisory'");
    Await.until(
        "the name is free",
        () -> sql.count("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'") == 0);
  }

  @Test
  void beforeItAdmitsAgainItDestroysKeysThatWereGivenUp() throws Exception {
    watch.look();
    assertThat(suspended).containsExactly(false);
    cutOff();
    rig.store.forfeitByAnother(List.of(1L, 2L));

    watch.look();

    assertThat(suspended).containsExactly(false, true, false);
    assertThat(rig.pools.depth(EC).loaded()).isEqualTo(1);
    assertThat(rig.hsm.countLiveKeys()).isEqualTo(1);
  }

  @Test
  void keysThatWereOnTheirWayAreFoundByTheNextLooks() throws Exception {
    cutOff();
    watch.look();
    assertThat(rig.pools.depth(EC).loaded()).isEqualTo(3);

    rig.store.forfeitByAnother(List.of(3L));
    watch.look();

    assertThat(rig.pools.depth(EC).loaded()).isEqualTo(2);
  }

  @Test
  void admitsNothingWhileAnotherHasItsName() throws Exception {
    cutOff();
    InstanceLock another = InstanceLock.acquire(dataSource, "a");
    rig.store.forfeitByAnother(List.of(1L));
    watch.look();
    assertThat(suspended).containsExactly(true);
    assertThat(rig.pools.depth(EC).loaded()).as("it may not look, either").isEqualTo(3);

    another.close();
    watch.look();
    assertThat(suspended).containsExactly(true, true, false);
    assertThat(rig.pools.depth(EC).loaded()).isEqualTo(2);
  }

  @Test
  void admitsNothingBeforeItHasReadTheLedger() throws Exception {
    cutOff();
    rig.store.forfeitByAnother(List.of(1L));
    rig.store.failing(Call.ON_LEDGER, true);
    assertThatExceptionOfType(StoreException.class).isThrownBy(watch::look);
    assertThat(suspended).containsExactly(true);

    rig.store.failing(Call.ON_LEDGER, false);
    watch.look();
    assertThat(suspended).containsExactly(true, false);
    assertThat(rig.pools.depth(EC).loaded()).isEqualTo(2);
  }
}
