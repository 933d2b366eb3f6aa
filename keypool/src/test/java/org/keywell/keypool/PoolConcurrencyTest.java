package org.keywell.keypool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.keypool.PoolRig.EC;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.keypool.hsm.KeySpec;

/** All threads of the pool at once, on limits so tight that each waits for the others. */
final class PoolConcurrencyTest {

  private static final int LEASERS = 8;
  private static final int KEYS_EACH = 50;

  private final PoolLimits limits = new PoolLimits(EC, 20, 6, 3, 2);
  private final Set<Long> ids = ConcurrentHashMap.newKeySet();
  private final Set<ByteBuffer> publicKeys = ConcurrentHashMap.newKeySet();

  /** One permit for each key that was stored and no lease has been promised. */
  private final Semaphore stored = new Semaphore(0);

  private final PoolListener listener =
      new PoolListener() {
        @Override
        public void stored(KeySpec spec) {
          stored.release();
        }
      };
  private final PoolRig rig =
      new PoolRig(
          new PoolConfig(
              PoolConfig.Mode.POOLED,
              List.of(limits),
              2,
              Duration.ZERO,
              PoolRig.MAX_ORPHANS,
              Duration.ZERO),
          listener);

  @Test
  @Timeout(120)
  void everyStoredKeyReachesOneLeaseAndSignsOnce() throws Exception {
    int unused;
    try (KeyPools pools = rig.pools) {
      pools.start();
      List<TestThread<Boolean>> leasers =
          IntStream.range(0, LEASERS).mapToObj(i -> TestThread.start(this::useKeys)).toList();
      for (TestThread<Boolean> leaser : leasers) {
        assertThat(leaser.result()).isTrue();
      }
      pools.stopGenerating();
      unused = pools.unload();
    }

    assertThat(ids).hasSize(LEASERS * KEYS_EACH);
    assertThat(publicKeys).hasSize(LEASERS * KEYS_EACH);
    assertThat(rig.hsm.countLiveKeys()).isZero();
    assertThat(rig.pools.orphans()).isZero();
    assertThat(rig.store.claimedIds()).isEmpty();
    assertThat(rig.store.count(EC))
        .isEqualTo(stored.availablePermits())
        .isGreaterThanOrEqualTo(unused);
  }

  /** A permit means that a key is there for this lease: it gets one, however long that takes. */
  private boolean useKeys() throws InterruptedException {
    for (int i = 0; i < KEYS_EACH; i++) {
      stored.acquire();
      rig.pools.requestBegan();
      KeyLease lease = PoolRig.await(rig.pools, EC).orElseThrow();
      if (i % 5 == 0) {
        lease.returnUnused();
        lease = PoolRig.await(rig.pools, EC).orElseThrow();
      }
      boolean signed = PoolRig.signs(lease, EC);
      lease.destroy();
      rig.pools.requestEnded();
      long id = PoolRig.idOf(lease);
      rig.store.discard(List.of(id));
      if (!signed || !ids.add(id) || !publicKeys.add(ByteBuffer.wrap(lease.publicKey()))) {
        return false;
      }
    }
    return true;
  }
}
