package org.keywell.keypool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.keywell.keypool.PoolRig.EC;
import static org.keywell.keypool.PoolRig.FOR_EVER;
import static org.keywell.keypool.PoolRig.NOT_AT_ALL;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.keypool.PoolConfig.Mode;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.fake.FakeHsm;
import org.keywell.keypool.hsm.fake.Operation;
import org.keywell.keypool.store.InMemoryWrappedKeyStore;
import org.keywell.keypool.worker.Worker;

/** One pool on several devices, where no thread works: the tests make their moves. */
@Timeout(30)
final class SeveralDevicesTest {

  private static final int LOADED = 6;
  private static final int MAX_STORED = 5;

  private final FakeHsm a = new FakeHsm();

  /** Another device, with the wrapping key of the first. */
  private final FakeHsm b = a.restarted();

  private final InMemoryWrappedKeyStore store = new InMemoryWrappedKeyStore();

  private static KeyPools open(Mode mode, PooledHsm... devices) {
    return KeyPools.open(
        new PoolConfig(
            mode,
            List.of(new PoolLimits(EC, MAX_STORED, LOADED, LOADED, LOADED)),
            1,
            Duration.ZERO,
            2,
            Duration.ZERO),
        List.of(devices),
        PoolListener.NONE,
        System::nanoTime);
  }

  private PooledHsm device(String name, FakeHsm hsm, DeviceRole role, int weight) {
    return new PooledHsm(name, role, weight, hsm, store);
  }

  private KeyPools both(int weightOfA, int weightOfB) {
    return open(
        Mode.POOLED,
        device("a", a, DeviceRole.BOTH, weightOfA),
        device("b", b, DeviceRole.BOTH, weightOfB));
  }

  private void store(int count) {
    store(a, store, count);
  }

  private static void store(FakeHsm hsm, InMemoryWrappedKeyStore store, int count) {
    for (int i = 0; i < count; i++) {
      LiveKeyPair pair = hsm.generateExtractable(EC);
      store.add(hsm.wrap(pair));
      hsm.destroy(pair.privateKey());
    }
  }

  private static void load(KeyPools pools) throws InterruptedException {
    for (DeviceWorkers workers : pools.workers()) {
      while (workers.loader().loadNext(NOT_AT_ALL) != KeyLoader.Step.NO_NEED) {}
    }
  }

  private static KeyLease lease(KeyPools pools) throws InterruptedException {
    return pools.lease(EC).orElseThrow();
  }

  /** Which devices the next leases are of, each of which ends before the next one begins. */
  private static Map<String, Integer> turns(KeyPools pools, int leases)
      throws InterruptedException {
    Map<String, Integer> turns = new HashMap<>();
    for (int i = 0; i < leases; i++) {
      KeyLease lease = lease(pools);
      turns.merge(lease.device(), 1, Integer::sum);
      assertThat(lease.returnUnused()).isEmpty();
    }
    return turns;
  }

  @Test
  void eachSignsWithTheKeysThatItHas() throws InterruptedException {
    KeyPools pools = both(1, 1);
    store(2 * LOADED);
    load(pools);
    assertThat(a.countLiveKeys()).isEqualTo(LOADED);
    assertThat(b.countLiveKeys()).isEqualTo(LOADED);
    assertThat(pools.depth(EC).loaded()).isEqualTo(2 * LOADED);

    for (int i = 0; i < 2 * LOADED; i++) {
      KeyLease lease = lease(pools);
      assertThat(PoolRig.signs(lease, EC)).isTrue();
      assertThat(lease.destroy().succeeded()).isTrue();
    }

    assertThat(pools.lease(EC)).isEmpty();
    assertThat(pools.leased(EC)).isEqualTo(2 * LOADED);
  }

  @Test
  void takeTurnsByTheirWeights() throws InterruptedException {
    KeyPools pools = both(3, 1);
    store(2 * LOADED);
    load(pools);

    assertThat(turns(pools, 40)).isEqualTo(Map.of("a", 30, "b", 10));
  }

  @Test
  void poolsBesideInTheSameTokenGiveWayToTheSameRequests() {
    KeyPools pools = open(Mode.POOLED, device("a", a, DeviceRole.BOTH, 1));
    KeyPools managed =
        pools.beside(
            PoolConfig.filling(EC, MAX_STORED, 2),
            device("managed", a.restarted(), DeviceRole.BOTH, 1),
            PoolListener.NONE);
    Idleness idleness = managed.workers().getFirst().device().idleness();
    assertThat(idleness.isIdle()).isTrue();

    pools.requestBegan();
    assertThat(idleness.isIdle()).isFalse();
    pools.requestEnded();
    assertThat(idleness.isIdle()).isTrue();

    pools.devices().getFirst().busyElsewhere(Duration.ofMinutes(1));
    assertThat(idleness.isIdle()).as("while another instance uses the token").isFalse();
  }

  @Test
  void theLeastBusyForItsWeightComesFirst() throws InterruptedException {
    KeyPools pools = both(2, 1);
    store(2 * LOADED);
    load(pools);
    Map<String, Integer> held = new HashMap<>();
    for (int i = 0; i < LOADED; i++) {
      held.merge(lease(pools).device(), 1, Integer::sum);
    }

    assertThat(held).isEqualTo(Map.of("a", 4, "b", 2));
  }

  @Test
  void oneThatFailsIsNotLeasedFrom() throws InterruptedException {
    KeyPools pools = both(1, 1);
    store(2 * LOADED);
    load(pools);

    a.faults().down("C_Sign returned CKR_DEVICE_ERROR (0x30)");
    assertThat(turns(pools, 10)).isEqualTo(Map.of("b", 10));
    assertThat(pools.failsToSign()).isFalse();

    b.faults().down("C_Sign returned CKR_DEVICE_ERROR (0x30)");
    assertThat(pools.failsToSign()).isTrue();
    assertThat(PoolRig.await(pools, EC)).as("neither is waited for").isEmpty();

    a.faults().up();
    assertThat(pools.failsToSign()).isFalse();
    assertThat(turns(pools, 10)).isEqualTo(Map.of("a", 10));
  }

  /** Else it would get all requests until it had made up for what it missed. */
  @Test
  void whoComesBackGetsItsShareAndNoMore() throws InterruptedException {
    KeyPools pools = both(1, 1);
    store(2 * LOADED);
    load(pools);
    a.faults().down("C_Sign returned CKR_DEVICE_ERROR (0x30)");
    turns(pools, 1000);

    a.faults().up();

    assertThat(turns(pools, 20).get("a")).isBetween(10, 11);
  }

  @Test
  void oneWithTooManyOrphansIsNotLeasedFrom() throws InterruptedException {
    KeyPools pools = both(1, 1);
    store(2 * LOADED);
    load(pools);
    a.faults().destroyReturns(0x30);
    while (pools.devices().getFirst().orphans() < 2) {
      lease(pools).destroy();
    }
    assertThat(pools.atOrphanLimit()).isFalse();

    assertThat(turns(pools, 4)).isEqualTo(Map.of("b", 4));

    b.faults().down("C_Sign returned CKR_DEVICE_ERROR (0x30)");
    assertThat(pools.atOrphanLimit()).as("of those that work, none is below").isTrue();
  }

  @Test
  void whoWaitsGetsTheFirstKeyOfAnyDevice() throws Exception {
    KeyPools pools = both(1, 1);
    TestThread<Optional<KeyLease>> waiting = TestThread.start(() -> PoolRig.await(pools, EC));
    waiting.awaitWaiting();
    store(1);
    pools.workers().getLast().loader().loadNext(NOT_AT_ALL);

    assertThat(waiting.result().orElseThrow().device()).isEqualTo("b");
  }

  @Test
  void oneThatOnlyGeneratesSignsForNobodyAndIsIdleMeanwhile() throws InterruptedException {
    KeyPools pools =
        open(
            Mode.POOLED,
            device("maker", a, DeviceRole.GENERATE, 1),
            device("signer", b, DeviceRole.SIGN, 1));
    pools.requestBegan();
    DeviceWorkers maker = pools.workers().getFirst();

    assertThat(maker.generator().generateNext(Duration.ofMillis(1)))
        .isEqualTo(KeyGenerator.Step.GENERATED);
    assertThat(pools.isIdle()).isFalse();
    assertThat(pools.devices().getLast().idleFor()).isZero();

    pools.workers().getLast().loader().loadNext(NOT_AT_ALL);
    assertThat(lease(pools).device()).isEqualTo("signer");
    assertThat(a.countLiveKeys()).isZero();
    assertThatExceptionOfType(HsmException.class).isThrownBy(() -> pools.generate(EC));
  }

  @Test
  void generateForOneRequestInADeviceThatWorks() {
    KeyPools pools = both(1, 1);
    a.faults().down("C_GenerateKeyPair returned CKR_DEVICE_ERROR (0x30)");

    for (int i = 0; i < 3; i++) {
      assertThat(pools.generate(EC).device()).isEqualTo("b");
    }
  }

  @Test
  void oneThatComesLaterWorksWithTheOthers() throws InterruptedException {
    KeyPools pools = open(Mode.POOLED, device("a", a, DeviceRole.BOTH, 1));
    store(2 * LOADED);
    load(pools);
    pools.requestBegan();

    assertThat(pools.add(device("b", b, DeviceRole.BOTH, 1))).isTrue();
    load(pools);
    assertThat(pools.devices()).extracting(Device::name).containsExactly("a", "b");
    assertThat(turns(pools, 6)).containsOnlyKeys("a", "b");
    assertThat(pools.workers().getLast().generator().generateNext(Duration.ofMillis(1)))
        .as("the request at hand may be its own")
        .isEqualTo(KeyGenerator.Step.DEVICE_BUSY);

    pools.requestEnded();
    pools.close();
    assertThat(store.count(EC)).isEqualTo(2 * LOADED);
    assertThat(pools.add(device("c", a.restarted(), DeviceRole.BOTH, 1))).isFalse();
  }

  /** What one has stored, the other may load, and both together keep to the maximum. */
  @Test
  void shareWhatIsStoredUnderTheirWrappingKey() throws InterruptedException {
    KeyPools pools = both(1, 1);
    DeviceWorkers first = pools.workers().getFirst();
    DeviceWorkers second = pools.workers().getLast();
    assertThat(second.loader().loadNext(NOT_AT_ALL)).isEqualTo(KeyLoader.Step.STORE_DRY);

    assertThat(first.generator().generateNext(FOR_EVER)).isEqualTo(KeyGenerator.Step.GENERATED);

    assertThat(second.loader().loadNext(NOT_AT_ALL))
        .as("is told that there are keys again")
        .isEqualTo(KeyLoader.Step.LOADED);
    for (int i = 0; i < MAX_STORED; i++) {
      DeviceWorkers maker = i % 2 == 0 ? first : second;
      assertThat(maker.generator().generateNext(FOR_EVER)).isEqualTo(KeyGenerator.Step.GENERATED);
    }
    assertThat(first.generator().generateNext(FOR_EVER)).isEqualTo(KeyGenerator.Step.POOLS_FULL);
    assertThat(second.generator().generateNext(FOR_EVER)).isEqualTo(KeyGenerator.Step.POOLS_FULL);
    assertThat(pools.generated(EC)).isEqualTo(MAX_STORED + 1L);
  }

  @Test
  void claimOnlyWhatTheyCanOpen() throws InterruptedException {
    FakeHsm other = new FakeHsm();
    InMemoryWrappedKeyStore others = new InMemoryWrappedKeyStore();
    KeyPools pools =
        open(
            Mode.POOLED,
            device("a", a, DeviceRole.BOTH, 1),
            new PooledHsm("other", DeviceRole.BOTH, 1, other, others));
    store(2);
    store(other, others, 3);

    load(pools);

    assertThat(pools.devices().getFirst().depth(EC).loaded()).isEqualTo(2);
    assertThat(pools.devices().getLast().depth(EC).loaded()).isEqualTo(3);
    assertThat(pools.count(EC).all()).isEqualTo(5);
    assertThat(pools.unload()).isEqualTo(5);
    assertThat(store.count(EC)).isEqualTo(2);
    assertThat(others.count(EC)).isEqualTo(3);
  }

  @Test
  void whereOneHangsTheOthersAreUnloaded() throws InterruptedException {
    // Only one generates: two race for the places of the store, and the other may take them all.
    KeyPools pools =
        open(Mode.POOLED, device("a", a, DeviceRole.BOTH, 1), device("b", b, DeviceRole.SIGN, 1));
    store(2 * LOADED);
    load(pools);
    a.faults().hang(Operation.GENERATE_EXTRACTABLE);
    pools.start();
    a.faults().awaitHanging(Operation.GENERATE_EXTRACTABLE, 1);

    assertThat(pools.stopGenerating(Duration.ofMillis(10))).isFalse();
    assertThat(pools.unload(Duration.ofSeconds(1))).hasValue(LOADED);

    a.faults().healAll();
    assertThat(pools.unload(Worker.LONGEST_JOIN)).hasValue(LOADED);
  }

  @Test
  void oneWhoseKeysAreLostGoesOnWithOthersWhileTheOtherSigns() throws InterruptedException {
    KeyPools pools = both(1, 1);
    store(2 * LOADED);
    load(pools);
    a.loseSessions();
    a.lose(a.epoch(), "C_Sign returned CKR_SESSION_HANDLE_INVALID (0xb3)");
    assertThat(turns(pools, 6)).isEqualTo(Map.of("b", 6));

    pools.workers().getFirst().watch().look(System.nanoTime());
    load(pools);

    assertThat(turns(pools, 6)).containsOnlyKeys("a", "b");
    assertThat(store.claimedIds()).hasSize(2 * LOADED);
  }

  /** Whatever fails and comes back: no key twice, and no request without one that is there. */
  @Test
  void holdsForRandomHistories() throws InterruptedException {
    for (int seed = 0; seed < 200; seed++) {
      new History(seed).run();
    }
  }

  /** Requests, and devices that fail and come back. */
  private static final class History {
    private final Random random;
    private final FakeHsm first = new FakeHsm();
    private final List<FakeHsm> devices = List.of(first, first.restarted(), first.restarted());
    private final InMemoryWrappedKeyStore store = new InMemoryWrappedKeyStore();
    private final KeyPools pools;
    private final Set<Long> signed = new HashSet<>();
    private final List<KeyLease> leases = new ArrayList<>();

    History(int seed) {
      random = new Random(seed);
      pools =
          open(
              Mode.POOLED,
              devices.stream()
                  .map(hsm ->
                      new PooledHsm(
                          "device-" + devices.indexOf(hsm),
                          DeviceRole.BOTH,
                          1 + random.nextInt(3),
                          hsm,
                          store))
                  .toArray(PooledHsm[]::new));
    }

    void run() throws InterruptedException {
      store(first, store, 40);
      for (int move = 0; move < 150; move++) {
        move();
      }
      devices.forEach(hsm -> hsm.faults().up());
      for (KeyLease lease : leases) {
        assertThat(lease.destroy().keyIsGone()).isTrue();
      }
      int unused = store.stored().size() + pools.unload();
      assertThat(store.stored()).hasSize(unused);
      assertThat(devices.stream().mapToLong(FakeHsm::countLiveKeys).sum()).isZero();
    }

    private void move() throws InterruptedException {
      FakeHsm hsm = devices.get(random.nextInt(devices.size()));
      switch (random.nextInt(10)) {
        case 0 -> hsm.faults().down("C_Sign returned CKR_DEVICE_ERROR (0x30)");
        case 1, 2 -> hsm.faults().up();
        case 3, 4 -> loadAll();
        case 5 -> end();
        default -> begin();
      }
    }

    private void loadAll() throws InterruptedException {
      for (DeviceWorkers workers : pools.workers()) {
        workers.loader().loadNext(NOT_AT_ALL);
      }
    }

    private void begin() throws InterruptedException {
      boolean oneHasAKey =
          pools.devices().stream()
              .anyMatch(device -> device.takesRequests() && device.depth(EC).loaded() > 0);
      Optional<KeyLease> lease = pools.lease(EC);
      assertThat(lease.isPresent()).isEqualTo(oneHasAKey);
      lease.ifPresent(leases::add);
    }

    private void end() {
      if (leases.isEmpty()) {
        return;
      }
      KeyLease lease = leases.remove(random.nextInt(leases.size()));
      if (random.nextBoolean()) {
        lease.returnUnused();
        return;
      }
      assertThat(signed.add(PoolRig.idOf(lease))).as("signs for the first time").isTrue();
      lease.destroy();
    }
  }
}
