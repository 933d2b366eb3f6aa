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
import org.keywell.keypool.LoadListener.End;
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

  /** A lease and whether it has signed or tried to. */
  private static final class Held {
    final KeyLease lease;
    boolean spent;

    Held(KeyLease lease) {
      this.lease = lease;
    }
  }

  private final int seed;
  private final Random random;
  private final PoolLimits limits;
  private final InMemoryWrappedKeyStore store = new InMemoryWrappedKeyStore();
  private final List<Held> held = new ArrayList<>();
  private final Set<Long> signedIds = new HashSet<>();
  private final Set<Long> damagedIds = new HashSet<>();
  private final Set<ByteBuffer> signedPublicKeys = new HashSet<>();

  private FakeHsm hsm = new FakeHsm();
  private KeyCounts counts = new KeyCounts();
  private long storedAtStart;
  private KeyDestroyer orphans;
  private Shelves pool;
  private KeyLoader loader;
  private KeyGenerator generator;

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
    this.orphans = new KeyDestroyer(hsm, MAX_ORPHANS, counts);
    this.pool = new Shelves(hsm, orphans, List.of(limits), counts);
    this.loader = new KeyLoader(hsm, store, pool, orphans, counts);
    this.generator = newGenerator();
  }

  private KeyGenerator newGenerator() {
    KeySupply supply = new KeySupply(store, List.of(limits), Duration.ZERO, System::nanoTime);
    SigningActivity idle = new SigningActivity(Duration.ZERO, System::nanoTime);
    return new KeyGenerator(hsm, store, supply, idle, orphans, pool::storeRefilled, counts);
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
      case 22 -> pool.storeRefilled(EC);
      default -> {
        if (random.nextInt(8) == 0) {
          crash();
        } else if (random.nextInt(8) == 0) {
          stopInOrder();
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
      if (generator.generateNext(AT_ONCE) == KeyGenerator.Step.GENERATED) {
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
    long before = store.count(EC) + pool.loaded(EC);
    try {
      loader.loadNext(Duration.ZERO);
    } catch (HsmException e) {
      event = "load, which failed";
    }
    hsm.faults().heal(Operation.UNWRAP);
    long gone = before - store.count(EC) - pool.loaded(EC);
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
    pool.lease(EC, Duration.ZERO).map(Held::new).ifPresent(held::add);
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
          one.lease.returnUnused();
          held.remove(one);
        });
  }

  private void retryOrphans() {
    event = "retry orphans";
    orphans.retry();
  }

  private void switchDestruction() {
    event = "switch destruction";
    hsm.faults().destroyReturns(random.nextBoolean() ? 0 : 0x30);
  }

  private void crash() {
    event = "crash";
    int lost = pool.loaded(EC) + held.size();
    held.clear();
    startAgain();
    int counted = store.forfeitLeftovers();
    assertThat(counted).as(place()).isEqualTo(lost);
    forfeited += counted;
  }

  /** Ends the leases, unloads, and starts again with nothing to forfeit. */
  void stopInOrder() {
    event = "stop in order";
    List.copyOf(held).forEach(this::destroy);
    int loaded = pool.loaded(EC);
    discarded += loaded - loader.unload();
    check();
    startAgain();
    assertThat(store.forfeitLeftovers()).as(place()).isZero();
    check();
  }

  private void startAgain() {
    hsm = hsm.restarted();
    counts = new KeyCounts();
    storedAtStart = store.count(EC);
    orphans = new KeyDestroyer(hsm, MAX_ORPHANS, counts);
    pool = new Shelves(hsm, orphans, List.of(limits), counts);
    loader = new KeyLoader(hsm, store, pool, orphans, counts);
    generator = newGenerator();
  }

  private void check() {
    int loaded = pool.loaded(EC);
    int live = loaded + held.size();
    within(live, limits.loadedCapacity());
    assertThat(hsm.countLiveKeys()).as("live keys; %s", place()).isEqualTo(live + orphans.count());
    assertThat(store.claimedIds()).as("ledger; %s", place()).hasSize(live);
    assertThat(store.count(EC) + live + used + discarded + forfeited)
        .as("each key is somewhere; %s", place())
        .isEqualTo(generated);
    checkCounts(loaded);
  }

  /** As docs/METRICS.md says how the counters add up. */
  private void checkCounts(int loaded) {
    assertThat(store.count(EC))
        .as("stored keys; %s", place())
        .isEqualTo(storedAtStart + counts.stored + counts.ended(End.PUT_BACK) - counts.claimed);
    assertThat(counts.claimed)
        .as("claimed keys; %s", place())
        .isEqualTo(loaded + counts.accountedFor());
    assertThat(loader.inTransit(EC)).as(place()).isZero();
    assertThat(pool.depth(EC)).as(place()).isEqualTo(new PoolDepth(loaded, held.size()));
  }

  private void within(long keys, int limit) {
    assertThat(keys).as("limit; %s", place()).isLessThanOrEqualTo(limit);
  }

  private String place() {
    return "seed " + seed + ", step " + steps + ": " + event;
  }
}
