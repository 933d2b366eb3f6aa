package org.keywell.keypool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.keypool.PoolRig.EC;
import static org.keywell.keypool.PoolRig.FOR_EVER;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** All threads of the pool at once, on limits so tight that each waits for the others. */
final class PoolConcurrencyTest {

  private static final int LEASERS = 8;
  private static final int KEYS_EACH = 50;

  private final PoolLimits limits = new PoolLimits(EC, 20, 6, 3, 2);
  private final PoolRig rig = new PoolRig(limits);
  private final SigningActivity activity = new SigningActivity(Duration.ZERO, System::nanoTime);
  private final Set<Long> ids = ConcurrentHashMap.newKeySet();
  private final Set<ByteBuffer> publicKeys = ConcurrentHashMap.newKeySet();

  /** One permit for each key that was stored and no lease has been promised. */
  private final Semaphore stored = new Semaphore(0);

  @Test
  @Timeout(120)
  void everyStoredKeyReachesOneLeaseAndSignsOnce() throws Exception {
    KeyGenerator generator =
        new KeyGenerator(
            rig.hsm,
            rig.store,
            new KeySupply(rig.store, List.of(limits), Duration.ZERO, System::nanoTime),
            activity,
            rig.orphans,
            spec -> {
              rig.pool.storeRefilled(spec);
              stored.release();
            });
    try (GeneratorThreads generators = new GeneratorThreads(generator, 2);
        LoaderThread loader = new LoaderThread(rig.loader, rig.pool, List.of(EC))) {
      loader.start();
      generators.start();
      List<TestThread<Boolean>> leasers =
          IntStream.range(0, LEASERS).mapToObj(i -> TestThread.start(this::useKeys)).toList();
      for (TestThread<Boolean> leaser : leasers) {
        assertThat(leaser.result()).isTrue();
      }
    }
    int unused = rig.loader.unload();

    assertThat(ids).hasSize(LEASERS * KEYS_EACH);
    assertThat(publicKeys).hasSize(LEASERS * KEYS_EACH);
    assertThat(rig.hsm.countLiveKeys()).isZero();
    assertThat(rig.orphans.count()).isZero();
    assertThat(rig.store.claimedIds()).isEmpty();
    assertThat(rig.store.count(EC))
        .isEqualTo(stored.availablePermits())
        .isGreaterThanOrEqualTo(unused);
  }

  /** A permit means that a key is there for this lease: it gets one, however long that takes. */
  private boolean useKeys() throws InterruptedException {
    for (int i = 0; i < KEYS_EACH; i++) {
      stored.acquire();
      activity.began();
      KeyLease lease = rig.pool.lease(EC, FOR_EVER).orElseThrow();
      if (i % 5 == 0) {
        lease.returnUnused();
        lease = rig.pool.lease(EC, FOR_EVER).orElseThrow();
      }
      boolean signed = PoolRig.signs(lease, EC);
      lease.destroy();
      activity.ended();
      long id = PoolRig.idOf(lease);
      rig.store.discard(List.of(id));
      if (!signed || !ids.add(id) || !publicKeys.add(ByteBuffer.wrap(lease.publicKey()))) {
        return false;
      }
    }
    return true;
  }
}
