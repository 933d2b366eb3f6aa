package org.keywell.keypool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.keypool.PoolRig.EC;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.keywell.keypool.PoolListener.End;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.fake.FakeHsm;
import org.keywell.keypool.hsm.fake.Operation;
import org.keywell.keypool.store.InMemoryWrappedKeyStore;
import org.keywell.keypool.store.InMemoryWrappedKeyStore.Call;
import org.keywell.keypool.store.StoreException;
import org.keywell.keypool.store.StoredKey;

/** A random history of one pool, by its seed, that checks the pool's invariants at each step. */
final class RandomHistory {

  private static final int MAX_ORPHANS = 4;
  private static final Duration AT_ONCE = Duration.ofNanos(1);
  private static final Duration LONGER_THAN_ANY_PAUSE = Duration.ofMinutes(2);

  /** A lease and whether it has signed or tried to. */
  private static final class Held {
    final KeyLease lease;
    boolean spent;

    /** Its key died with the device's sessions. */
    boolean dead;

    Held(KeyLease lease) {
      this.lease = lease;
    }
  }

  private final int seed;
  private final Random random;
  private final PoolLimits limits;
  private final List<Held> held = new ArrayList<>();
  private final Set<Long> signedIds = new HashSet<>();
  private final Set<Long> damagedIds = new HashSet<>();
  private final Set<ByteBuffer> signedPublicKeys = new HashSet<>();

  private final InMemoryWrappedKeyStore store;
  private PoolRig rig;
  private FakeHsm hsm;
  private KeyPools pools;
  private long storedAtStart;

  private long now = System.nanoTime();
  private int steps;
  private String event = "start";
  private long generated;
  private long used;
  private long discarded;
  private long forfeited;

  RandomHistory(int seed) {
    this.seed = seed;
    this.random = new Random(seed);
    int capacity = 1 + random.nextInt(6);
    this.limits =
        new PoolLimits(
            EC,
            1 + random.nextInt(10),
            capacity,
            1 + random.nextInt(capacity),
            1 + random.nextInt(8));
    this.rig =
        new PoolRig(
            new PoolConfig(
                PoolConfig.Mode.POOLED,
                List.of(limits),
                1,
                Duration.ZERO,
                MAX_ORPHANS,
                Duration.ZERO));
    this.store = rig.store;
    this.hsm = rig.hsm;
    this.pools = rig.pools;
  }

  long signed() {
    return signedIds.size();
  }

  long forfeited() {
    return forfeited;
  }

  void step() throws InterruptedException {
    steps++;
    switch (random.nextInt(24)) {
      case 0, 1, 2, 3, 4 -> generate();
      case 5, 6, 7, 8 -> load();
      case 9, 10, 11, 12 -> lease();
      case 13, 14, 15 -> sign();
      case 16, 17, 18 -> destroy();
      case 19 -> returnUnused();
      case 20 -> retryOrphans();
      case 21 -> switchDestruction();
      case 22 -> rig.shelves.storeRefilled(EC);
      default -> {
        if (random.nextInt(7) == 0) {
          crash();
        } else if (random.nextInt(8) == 0) {
          stopInOrder();
        } else if (random.nextInt(4) == 0) {
          loseDevice();
        }
      }
    }
    check();
  }

  private boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  private void generate() throws InterruptedException {
    event = "generate";
    if (oneIn(10)) {
      hsm.faults().failNext(Operation.GENERATE_EXTRACTABLE, Reason.UNAVAILABLE, 1);
    } else if (oneIn(10)) {
      hsm.faults().failNext(Operation.WRAP, Reason.FAILED, 1);
    } else if (oneIn(10)) {
      store.failing(Call.ADD, true);
    }
    try {
      if (rig.generator.generateNext(AT_ONCE) == KeyGenerator.Step.GENERATED) {
        generated++;
        within(store.count(EC), limits.maxStored());
      }
    } catch (HsmException | StoreException e) {
      event = "generate, which failed";
    }
    store.failing(false);
    hsm.faults().heal(Operation.GENERATE_EXTRACTABLE);
    hsm.faults().heal(Operation.WRAP);
  }

  private void load() throws InterruptedException {
    event = "load";
    if (oneIn(6)) {
      hsm.faults().failAfter(random.nextInt(4), Operation.UNWRAP, Reason.SESSION_LOST);
    } else if (oneIn(6)) {
      hsm.faults().failAfter(random.nextInt(4), Operation.UNWRAP, Reason.WRAPPED_KEY_INVALID);
    } else if (oneIn(6)) {
      damageTheOldest();
    } else if (oneIn(10)) {
      hsm.faults().fail(Operation.UNWRAP, Reason.FAILED);
    }
    long before = store.count(EC) + pools.depth(EC).loaded();
    try {
      rig.loader.loadNext(Duration.ZERO);
    } catch (HsmException e) {
      event = "load, which failed";
    }
    hsm.faults().heal(Operation.UNWRAP);
    long gone = before - store.count(EC) - pools.depth(EC).loaded();
    Set<Long> left = store.stored().stream().map(StoredKey::id).collect(Collectors.toSet());
    assertThat(gone)
        .as("discarded, as opposed to damaged; %s", place())
        .isEqualTo(damagedIds.stream().filter(id -> !left.contains(id)).count());
    damagedIds.retainAll(left);
    discarded += gone;
  }

  private void damageTheOldest() {
    store.stored().stream()
        .map(StoredKey::id)
        .findFirst()
        .filter(damagedIds::add)
        .ifPresent(id -> store.tamper(id, PoolRig::damaged));
  }

  private void lease() throws InterruptedException {
    event = "lease";
    pools.lease(EC).map(Held::new).ifPresent(held::add);
  }

  private Optional<Held> anyHeld() {
    return held.isEmpty() ? Optional.empty() : Optional.of(held.get(random.nextInt(held.size())));
  }

  private void sign() {
    event = "sign";
    anyHeld().ifPresent(this::sign);
  }

  private void sign(Held one) {
    boolean first = !one.spent;
    one.spent = true;
    if (oneIn(10)) {
      hsm.faults().failNext(Operation.SIGN, Reason.FAILED, 1);
    }
    try {
      assertThat(PoolRig.signs(one.lease, EC)).as(place()).isTrue();
      assertThat(first).as(place()).isTrue();
      assertThat(signedIds.add(PoolRig.idOf(one.lease))).as(place()).isTrue();
      assertThat(signedPublicKeys.add(ByteBuffer.wrap(one.lease.publicKey()))).as(place()).isTrue();
    } catch (HsmException e) {
      event = "sign, which failed";
    } catch (IllegalStateException e) {
      assertThat(first).as(place()).isFalse();
    }
    hsm.faults().heal(Operation.SIGN);
  }

  private void destroy() {
    event = "destroy";
    anyHeld().ifPresent(this::destroy);
  }

  private void destroy(Held one) {
    one.lease.destroy();
    held.remove(one);
    // As the service does with the record of the outcome.
    store.discard(List.of(PoolRig.idOf(one.lease)));
    used++;
  }

  private void returnUnused() {
    event = "return unused";
    anyHeld()
        .filter(one -> !one.spent)
        .ifPresent(one -> {
          boolean wentBack = one.lease.returnUnused().isEmpty();
          assertThat(wentBack).as(place()).isEqualTo(!one.dead);
          held.remove(one);
          if (!wentBack) {
            store.discard(List.of(PoolRig.idOf(one.lease)));
            used++;
          }
        });
  }

  /** Keys and sessions are gone, numbers start again, and the watch does what it does. */
  private void loseDevice() {
    event = "lose the device";
    hsm.lose(hsm.epoch(), "a random history says so");
    now += LONGER_THAN_ANY_PAUSE.toNanos();
    pools.workers().getFirst().watch().look(now);
    rig.destroyer.retry();
    held.forEach(one -> one.dead = true);
    assertThat(pools.depth(EC).loaded()).as(place()).isZero();
    assertThat(pools.orphans()).as(place()).isZero();
  }

  private void retryOrphans() {
    event = "retry orphans";
    rig.destroyer.retry();
  }

  private void switchDestruction() {
    event = "switch destruction";
    hsm.faults().destroyReturns(random.nextBoolean() ? 0 : 0x30);
  }

  private void crash() {
    event = "crash";
    int lost = pools.depth(EC).loaded() + held.size();
    held.clear();
    startAgain();
    int counted = pools.forfeitLeftovers();
    assertThat(counted).as(place()).isEqualTo(lost);
    forfeited += counted;
  }

  /** Ends the leases, unloads, and starts again with nothing to forfeit. */
  void stopInOrder() {
    event = "stop in order";
    List.copyOf(held).forEach(this::destroy);
    int loaded = pools.depth(EC).loaded();
    discarded += loaded - pools.unload();
    check();
    startAgain();
    assertThat(pools.forfeitLeftovers()).as(place()).isZero();
    check();
  }

  private void startAgain() {
    rig = rig.restarted();
    hsm = rig.hsm;
    pools = rig.pools;
    storedAtStart = store.count(EC);
  }

  private void check() {
    int loaded = pools.depth(EC).loaded();
    int claimed = loaded + held.size();
    long live = claimed - held.stream().filter(one -> one.dead).count();
    within(claimed, limits.loadedCapacity());
    assertThat(hsm.countLiveKeys()).as("live keys; %s", place()).isEqualTo(live + pools.orphans());
    assertThat(store.claimedIds()).as("ledger; %s", place()).hasSize(claimed);
    assertThat(store.count(EC) + claimed + used + discarded + forfeited)
        .as("each key is somewhere; %s", place())
        .isEqualTo(generated);
    checkCounts(loaded);
  }

  /** As docs/METRICS.md says how the counters add up. */
  private void checkCounts(int loaded) {
    assertThat(store.count(EC))
        .as("stored keys; %s", place())
        .isEqualTo(
            storedAtStart
                + rig.counts.stored
                + rig.counts.ended(End.PUT_BACK)
                - rig.counts.claimed);
    assertThat(rig.counts.claimed)
        .as("claimed keys; %s", place())
        .isEqualTo(loaded + rig.counts.accountedFor());
    assertThat(pools.depth(EC)).as(place()).isEqualTo(new PoolDepth(0, loaded, held.size(), 0));
    assertThat(pools.count(EC)).as(place()).isEqualTo(new KeyPools.Count(store.count(EC), loaded));
  }

  private void within(long keys, int limit) {
    assertThat(keys).as("limit; %s", place()).isLessThanOrEqualTo(limit);
  }

  private String place() {
    return "seed " + seed + ", step " + steps + ": " + event;
  }
}
