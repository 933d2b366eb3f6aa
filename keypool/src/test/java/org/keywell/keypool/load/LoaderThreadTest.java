package org.keywell.keypool.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.keywell.keypool.PoolRig.EC;
import static org.keywell.keypool.PoolRig.FOR_EVER;
import static org.keywell.keypool.PoolRig.NOT_AT_ALL;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.keypool.PoolRig;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.pool.KeyLease;
import org.keywell.keypool.pool.PoolLimits;
import org.keywell.keypool.store.StoreException;

@Timeout(30)
final class LoaderThreadTest {

  private final AtomicLong nanos = new AtomicLong();
  private final PoolRig rig =
      new PoolRig(new PoolLimits(EC, 1, 1, 1, 1), new PoolLimits(KeySpec.EC_P384, 1, 1, 1, 1));
  private final LoaderThread thread =
      new LoaderThread(rig.loader, rig.pool, rig.orphans, List.of(EC, KeySpec.EC_P384), nanos::get);

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private void orphan() throws InterruptedException {
    KeyLease lease = rig.loaded(1).lease();
    rig.hsm.faults().destroyReturns(0x30);
    lease.destroy();
    rig.hsm.faults().healAll();
    assertThat(rig.orphans.count()).isEqualTo(1);
  }

  @Test
  void looksAgainForKindsThatHadRunOut() throws InterruptedException {
    rig.loaded(0);
    rig.store(EC, 1);
    thread.step(NOT_AT_ALL);
    assertThat(rig.pool.loaded(EC)).as("thought dry").isZero();

    pass(Duration.ofMillis(500));
    thread.step(NOT_AT_ALL);
    thread.step(NOT_AT_ALL);

    assertThat(rig.pool.loaded(EC)).isEqualTo(1);
  }

  /** Were it done in pauses only, a kind in heavy use would keep others dry and orphans alive. */
  @Test
  void looksAfterTheRestHoweverBusyTheLoaderIs() throws InterruptedException {
    orphan();
    rig.store(KeySpec.EC_P384, 3);
    rig.pool.storeRefilled(KeySpec.EC_P384);

    pass(Duration.ofMillis(500));
    thread.step(NOT_AT_ALL);

    assertThat(rig.orphans.count()).isZero();
    assertThat(rig.hsm.countLiveKeys()).isEqualTo(rig.pool.loaded(KeySpec.EC_P384));
  }

  @Test
  void triesOrphansAgainEvenIfTheStoreFails() throws InterruptedException {
    orphan();
    rig.store.failing(true);

    pass(Duration.ofMillis(500));
    assertThatExceptionOfType(StoreException.class).isThrownBy(() -> thread.step(NOT_AT_ALL));

    assertThat(rig.orphans.count()).isZero();
  }

  @Test
  void loadsWhileItRunsAndEndsWhenClosed() throws InterruptedException {
    rig.store(EC, 1);
    try (LoaderThread running =
        new LoaderThread(rig.loader, rig.pool, rig.orphans, List.of(EC, KeySpec.EC_P384))) {
      running.start();
      assertThat(rig.pool.lease(EC, FOR_EVER)).isPresent();
    }

    rig.store(EC, 1);
    assertThat(rig.store.count(EC)).as("nobody claims").isEqualTo(1);
  }

  @Test
  void canBeClosedWithoutAStart() {
    thread.close();
  }
}
