package org.keywell.keypool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.keywell.keypool.PoolRig.EC;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.keywell.keypool.PoolConfig.Mode;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.fake.Operation;
import org.keywell.keypool.store.InMemoryWrappedKeyStore.Call;
import org.keywell.keypool.store.StoreException;
import org.keywell.keypool.worker.Worker;

/** The order of start and stop, and what each mode does; the parts have tests of their own. */
@Timeout(30)
final class KeyPoolsTest {

  private static PoolRig rig(Mode mode, PoolLimits... limits) {
    return new PoolRig(
        new PoolConfig(mode, List.of(limits), 1, Duration.ZERO, PoolRig.MAX_ORPHANS));
  }

  private static PoolRig rig(Mode mode) {
    return rig(mode, new PoolLimits(EC, 4, 2, 2, 2));
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      Thread.onSpinWait();
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  private static void awaitGenerator(KeyPools pools, GeneratorState state)
      throws InterruptedException {
    await(() -> pools.generatorThreads(state) == 1);
  }

  @Test
  void generatesLoadsAndLeases() throws InterruptedException {
    PoolRig rig = rig(Mode.POOLED);
    try (KeyPools pools = rig.pools) {
      pools.start();
      KeyLease lease = awaitLease(pools);
      assertThat(PoolRig.signs(lease, EC)).isTrue();
      assertThat(lease.destroy().succeeded()).isTrue();
      rig.store.discard(List.of(PoolRig.idOf(lease)));
    }

    assertThat(rig.hsm.countLiveKeys()).isZero();
    assertThat(rig.store.claimedIds()).isEmpty();
    assertThat(PoolRig.await(rig.pools, EC)).as("closed").isEmpty();
  }

  /** The store is dry until the first key is stored, and a lease does not wait for that. */
  private static KeyLease awaitLease(KeyPools pools) throws InterruptedException {
    Optional<KeyLease> lease = PoolRig.await(pools, EC);
    while (lease.isEmpty()) {
      lease = PoolRig.await(pools, EC);
    }
    return lease.get();
  }

  /** Its policy may be to have a key made instead, which takes less than a deadline. */
  @Test
  void aLoaderWhoseDeviceHangsIsToldFromOneThatComesForward() throws InterruptedException {
    PoolRig rig = rig(Mode.POOLED).store(EC, 1);
    rig.hsm.faults().hang(Operation.UNWRAP);
    try (KeyPools pools = rig.pools) {
      pools.start();

      while (pools.outlook(EC) != KeyOutlook.STALLED) {
        Thread.onSpinWait();
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
      }

      rig.hsm.faults().healAll();
      KeyLease lease = awaitLease(pools);
      assertThat(PoolRig.signs(lease, EC)).isTrue();
      assertThat(lease.destroy().succeeded()).isTrue();
    }
  }

  @Test
  void aStopDoesNotWaitForADeviceThatHangs() throws InterruptedException {
    PoolRig rig = rig(Mode.POOLED);
    rig.hsm.faults().hang(Operation.GENERATE_EXTRACTABLE);
    try (KeyPools pools = rig.pools) {
      pools.start();
      rig.hsm.faults().awaitHanging(Operation.GENERATE_EXTRACTABLE, 1);

      assertThat(pools.stopGenerating(Duration.ofMillis(10))).isFalse();

      rig.hsm.faults().healAll();
      assertThat(pools.stopGenerating(Worker.LONGEST_JOIN)).isTrue();
      assertThat(pools.unload(Worker.LONGEST_JOIN)).isPresent();
    }
  }

  @Test
  void fillsWithoutLoading() throws InterruptedException {
    PoolRig rig = rig(Mode.FILL);
    try (KeyPools pools = rig.pools) {
      pools.start();
      awaitGenerator(pools, GeneratorState.FULL);
    }

    assertThat(rig.store.count(EC)).isEqualTo(4);
    assertThat(rig.counts.claimed).isZero();
    assertThat(rig.pools.generated(EC)).isEqualTo(4);
  }

  @Test
  void onTheFlyNeitherGeneratesAheadNorLoads() {
    PoolRig rig = rig(Mode.ON_THE_FLY);
    rig.store(EC, 1);
    try (KeyPools pools = rig.pools) {
      pools.start();
      KeyLease lease = pools.generate(EC);
      assertThat(PoolRig.signs(lease, EC)).isTrue();
      lease.destroy();
      assertThat(pools.generatorThreads(GeneratorState.STOPPED)).isEqualTo(1);
    }

    assertThat(rig.counts.claimed).isZero();
    assertThat(rig.store.count(EC)).isEqualTo(1);
  }

  @Test
  void requestsGoBeforeGenerating() throws InterruptedException {
    PoolRig rig = rig(Mode.FILL);
    try (KeyPools pools = rig.pools) {
      pools.requestBegan();
      assertThat(pools.isIdle()).isFalse();
      pools.start();
      awaitGenerator(pools, GeneratorState.PAUSED);
      assertThat(rig.hsm.faults().calls(Operation.GENERATE_EXTRACTABLE)).isZero();

      pools.requestEnded();
      assertThat(pools.isIdle()).isTrue();
      awaitGenerator(pools, GeneratorState.FULL);
    }
  }

  /** Requests that are at hand when the stop begins may wait for a key that is being loaded. */
  @Test
  void keysAreLoadedUntilTheLastStepOfTheStop() throws InterruptedException {
    PoolRig rig = rig(Mode.POOLED, new PoolLimits(EC, 0, 2, 2, 2));
    rig.store(EC, 4);
    rig.pools.start();

    rig.pools.stopGenerating();
    KeyLease first = awaitLease(rig.pools);
    KeyLease second = awaitLease(rig.pools);
    first.destroy();
    second.destroy();
    KeyLease third = awaitLease(rig.pools);
    third.returnUnused();

    assertThat(rig.pools.unload()).isPositive();
    assertThat(rig.store.count(EC)).isEqualTo(2);
    assertThat(rig.pools.forfeitLeftovers()).as("used and not recorded").isEqualTo(2);
    assertThat(rig.counts.forfeited).isEqualTo(2);
    assertThat(rig.hsm.countLiveKeys()).isZero();
  }

  @Test
  void canBeClosedWithoutAStartAndTwice() {
    PoolRig rig = rig(Mode.POOLED);

    rig.pools.close();
    rig.pools.close();
  }

  @Test
  void countsEachKeyOnceInBothTiers() throws InterruptedException {
    PoolRig rig = rig(Mode.POOLED);
    rig.store(EC, 5);
    assertThat(rig.pools.count(EC)).isEqualTo(new KeyPools.Count(5, 0));

    rig.load();

    assertThat(rig.pools.count(EC)).isEqualTo(new KeyPools.Count(3, 2));
    assertThat(rig.pools.count(EC).all()).isEqualTo(5);
    assertThat(rig.pools.depth(EC)).isEqualTo(new PoolDepth(0, 2, 0, 0));
    rig.store.failing(Call.COUNT, true);
    assertThatExceptionOfType(StoreException.class).isThrownBy(() -> rig.pools.count(EC));
  }

  /** A claim between the looks at the two tiers would hide its keys from both. */
  @Test
  void looksAgainIfKeysMoveWhileItCounts() throws InterruptedException {
    PoolRig rig = rig(Mode.POOLED, new PoolLimits(EC, 9, 3, 3, 3));
    rig.store(EC, 5);
    boolean[] moved = {false};
    rig.store.before(
        Call.COUNT,
        () -> {
          if (!moved[0]) {
            moved[0] = true;
            loadQuietly(rig);
          }
        });

    assertThat(rig.pools.count(EC)).isEqualTo(new KeyPools.Count(2, 3));
  }

  private static void loadQuietly(PoolRig rig) {
    try {
      rig.load();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void tellsOfItsDevice() throws InterruptedException {
    PoolRig rig = rig(Mode.POOLED);
    rig.loaded(2);
    KeyLease leased = rig.lease();
    assertThat(rig.pools.failsToSign()).isFalse();
    assertThat(rig.device.health().down()).isEmpty();

    rig.hsm.faults().down("C_Sign returned CKR_DEVICE_ERROR (0x30)");
    rig.hsm.faults().destroyReturns(0x30);
    leased.destroy();

    assertThat(PoolRig.await(rig.pools, EC)).as("a key is not spent, nor waited for").isEmpty();

    assertThat(rig.pools.failsToSign()).isTrue();
    assertThat(rig.device.health().down()).isPresent();
    assertThat(rig.pools.orphans()).isEqualTo(1);
    assertThat(rig.pools.atOrphanLimit()).isFalse();
  }

  @Test
  void servesTheKindsThatHaveAPool() throws InterruptedException {
    KeyPools pools = rig(Mode.POOLED).pools;

    assertThat(pools.serves(EC)).isTrue();
    assertThat(pools.serves(KeySpec.RSA_4096)).isFalse();
    assertThat(pools.config().specs()).containsExactly(EC);
    assertThat(pools.lease(EC)).isEmpty();
    assertThatIllegalArgumentException().isThrownBy(() -> pools.depth(KeySpec.RSA_4096));
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void theWatchTriesKeysAgainInEachMode(Mode mode) throws InterruptedException {
    PoolRig rig = rig(mode, new PoolLimits(EC, 0, 1, 1, 1));
    rig.hsm.faults().destroyReturns(0x30);
    rig.destroy(rig.hsm.generate(EC).privateKey());
    assertThat(rig.pools.orphans()).isEqualTo(1);
    rig.hsm.faults().destroyReturns(0);
    try (KeyPools pools = rig.pools) {
      pools.start();
      await(() -> pools.orphans() == 0);
    }

    assertThat(rig.hsm.countLiveKeys()).isZero();
  }
}
