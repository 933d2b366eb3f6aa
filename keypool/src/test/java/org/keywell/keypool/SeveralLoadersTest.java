package org.keywell.keypool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.keypool.PoolRig.EC;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.fake.FakeHsm;
import org.keywell.keypool.hsm.fake.Operation;
import org.keywell.keypool.hsm.timed.DeviceProfile;
import org.keywell.keypool.hsm.timed.DeviceProfile.OperationTime;
import org.keywell.keypool.hsm.timed.TimedHsm;
import org.keywell.keypool.store.InMemoryWrappedKeyStore;

/** What several threads that load do at the same time. */
@Timeout(60)
final class SeveralLoadersTest {

  private static final int KEYS = 400;

  private static PoolConfig config(PoolLimits limits) {
    return new PoolConfig(
        PoolConfig.Mode.POOLED, List.of(limits), 1, Duration.ofHours(1), 1, Duration.ofHours(1));
  }

  private static InMemoryWrappedKeyStore stored(FakeHsm device) {
    InMemoryWrappedKeyStore store = new InMemoryWrappedKeyStore();
    for (int i = 0; i < KEYS; i++) {
      LiveKeyPair pair = device.generateExtractable(EC);
      long _ = store.add(device.wrap(pair));
      var _ = device.destroy(pair.privateKey());
    }
    return store;
  }

  @Test
  void theyUnwrapAtTheSameTimeAndNeverMoreThanThereIsRoomFor() throws Exception {
    PoolRig rig = new PoolRig(config(new PoolLimits(EC, 0, 10, 8, 3)));
    rig.store(EC, 20);
    rig.hsm.faults().hang(Operation.UNWRAP);
    try (KeyPools pools = rig.pools) {
      pools.start();
      rig.hsm.faults().awaitHanging(Operation.UNWRAP, PooledHsm.LOADERS);
      assertThat(rig.store.claimedIds()).hasSize(10);
      assertThat(pools.depth(EC).loading()).isEqualTo(10);

      rig.hsm.faults().healAll();
      while (pools.depth(EC).loaded() < 10) {
        Thread.onSpinWait();
      }
      assertThat(pools.depth(EC).loading()).isZero();
      assertThat(rig.hsm.countLiveKeys()).isEqualTo(10);
    }
    assertThat(rig.store.count(EC)).isEqualTo(20);
    assertThat(rig.hsm.countLiveKeys()).isZero();
  }

  /** One that unwraps a key at a time would take 1.2 s, whatever signs. */
  @Test
  void anHsmThatTakesThreeMillisecondsACallUnwrapsMoreThanOneKeyInThese() throws Exception {
    FakeHsm device = new FakeHsm();
    InMemoryWrappedKeyStore store = stored(device);
    OperationTime call = new OperationTime(Duration.ofMillis(3), Duration.ofMillis(3));
    Hsm network =
        new TimedHsm(device, new DeviceProfile("network", "a test", 8, 0, call, call, call, call));
    long nanos;
    try (KeyPools pools =
        KeyPools.open(
            config(new PoolLimits(EC, 0, 500, 250, 100)),
            List.of(PooledHsm.sole(network, store)),
            PoolListener.NONE,
            System::nanoTime)) {
      pools.start();
      long began = System.nanoTime();
      for (int i = 0; i < KEYS; i++) {
        var _ = PoolRig.await(pools, EC).orElseThrow().destroy();
      }
      nanos = System.nanoTime() - began;
    }

    assertThat(Duration.ofNanos(nanos)).isLessThan(Duration.ofMillis(900));
  }
}
