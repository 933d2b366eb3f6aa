package org.keywell.keypool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.keywell.keypool.PoolRig.NOT_AT_ALL;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.fake.FakeHsm;
import org.keywell.keypool.hsm.fake.Operation;
import org.keywell.keypool.store.InMemoryWrappedKeyStore;

/** A device without room for another key: kinds of key, what finds no room, and a second device. */
final class FullDeviceTest {

  private static final KeySpec KIND = KeySpec.EC_P256;
  private static final int LOADED = 2;

  private final FakeHsm a = new FakeHsm();
  private final FakeHsm b = a.restarted();
  private final InMemoryWrappedKeyStore store = new InMemoryWrappedKeyStore();

  private KeyPools pools(KeySpec spec, FakeHsm... devices) {
    List<PooledHsm> pooled =
        List.of(devices).stream()
            .map(hsm -> new PooledHsm(hsm == a ? "a" : "b", DeviceRole.BOTH, 1, hsm, store))
            .toList();
    return KeyPools.open(
        new PoolConfig(
            PoolConfig.Mode.POOLED,
            List.of(new PoolLimits(spec, 10, LOADED, LOADED, LOADED)),
            1,
            Duration.ZERO,
            2,
            Duration.ZERO),
        pooled,
        PoolListener.NONE,
        System::nanoTime);
  }

  private void store(KeySpec spec, int count) {
    for (int i = 0; i < count; i++) {
      LiveKeyPair pair = a.generateExtractable(spec);
      store.add(a.wrap(pair));
      a.destroy(pair.privateKey());
    }
  }

  private static KeyLoader.Step load(KeyPools pools) throws InterruptedException {
    return pools.workers().getFirst().loader().loadNext(NOT_AT_ALL);
  }

  private static void findsNoRoomToUnwrap(KeyPools pools) {
    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(() -> load(pools))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.FULL));
  }

  private static void findsNoRoomToGenerate(KeyPools pools, KeySpec spec) {
    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(() -> pools.generate(spec))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.FULL));
  }

  @ParameterizedTest
  @EnumSource(
      value = KeySpec.class,
      names = {"EC_P256", "RSA_2048"})
  void nothingIsClaimedWhileAFullDeviceHasNoRoomAndLoadingGoesOnOnceItHas(KeySpec spec)
      throws InterruptedException {
    KeyPools pools = pools(spec, a);
    store(spec, LOADED);
    a.faults().fail(Operation.UNWRAP, Reason.FULL);
    long before = a.faults().calls(Operation.UNWRAP);

    findsNoRoomToUnwrap(pools);
    assertThat(load(pools)).isEqualTo(KeyLoader.Step.DEVICE_FAILS);

    assertThat(a.faults().calls(Operation.UNWRAP) - before).as("no key is blamed").isEqualTo(1);
    assertThat(store.count(spec)).isEqualTo(LOADED);

    a.faults().heal(Operation.UNWRAP);
    pools.workers().getFirst().watch().look(a.health().lastSuccessNanos());
    assertThat(load(pools)).isEqualTo(KeyLoader.Step.LOADED);
    assertThat(pools.depth(spec).loaded()).isEqualTo(LOADED);
  }

  /** Whatever another loader came to meanwhile. */
  @Test
  void nobodyWaitsForAKeyThatAFullDeviceCannotUnwrap() throws InterruptedException {
    KeyPools pools = pools(KIND, a);
    store(KIND, LOADED);
    a.faults().fail(Operation.UNWRAP, Reason.FULL);
    findsNoRoomToUnwrap(pools);
    Shelves shelves = pools.devices().getFirst().shelves();
    shelves.finish(shelves.awaitNeed(NOT_AT_ALL).orElseThrow(), PoolListener.Load.STORE_HAD_KEYS);

    assertThat(pools.outlook(KIND)).isEqualTo(KeyOutlook.NONE);
  }

  @Test
  void keysThatAreLoadedStillSign() throws InterruptedException {
    KeyPools pools = pools(KIND, a);
    store(KIND, LOADED);
    load(pools);
    a.faults().fail(Operation.GENERATE, Reason.FULL);
    findsNoRoomToGenerate(pools, KIND);

    assertThat(pools.isFullFor(KIND, false, true)).as("one is loaded").isFalse();
    assertThat(PoolRig.signs(pools.lease(KIND).orElseThrow(), KIND)).isTrue();
  }

  @Test
  void withoutALoadedKeyItDependsOnWhatFindsNoRoom() throws InterruptedException {
    KeyPools pools = pools(KIND, a);
    store(KIND, LOADED);
    assertThat(pools.isFullFor(KIND, true, true)).as("nothing is known").isFalse();

    a.faults().fail(Operation.UNWRAP, Reason.FULL);
    findsNoRoomToUnwrap(pools);
    assertThat(pools.isFullFor(KIND, true, false)).isTrue();
    assertThat(pools.isFullFor(KIND, true, true)).as("one can be made").isFalse();

    a.faults().fail(Operation.GENERATE, Reason.FULL);
    findsNoRoomToGenerate(pools, KIND);
    assertThat(pools.isFullFor(KIND, true, true)).isTrue();
  }

  @Test
  void anEmptyStoreBringsNoKeyEither() throws InterruptedException {
    KeyPools pools = pools(KIND, a);
    assertThat(load(pools)).isEqualTo(KeyLoader.Step.STORE_DRY);
    a.faults().fail(Operation.GENERATE, Reason.FULL);
    findsNoRoomToGenerate(pools, KIND);

    assertThat(pools.isFullFor(KIND, true, true)).isTrue();
  }

  @Test
  void aSecondDeviceThatHasRoomServesRequests() throws InterruptedException {
    KeyPools pools = pools(KIND, a, b);
    store(KIND, LOADED);
    a.faults().fail(Operation.UNWRAP, Reason.FULL);
    findsNoRoomToUnwrap(pools);

    assertThat(pools.isFullFor(KIND, true, false)).isFalse();
    assertThat(pools.workers().getLast().loader().loadNext(NOT_AT_ALL))
        .isEqualTo(KeyLoader.Step.LOADED);
    assertThat(pools.lease(KIND).orElseThrow().device()).isEqualTo("b");
    assertThat(pools.devices().getFirst().isFull()).isTrue();
    assertThat(pools.devices().getLast().isFull()).isFalse();
  }
}
