package org.keywell.keypool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.keypool.store.InMemoryWrappedKeyStore;
import org.keywell.keypool.store.InMemoryWrappedKeyStore.Call;
import org.keywell.keypool.store.StoreException;

final class KeySupplyTest {

  private final AtomicLong nanos = new AtomicLong();
  private final InMemoryWrappedKeyStore store = new InMemoryWrappedKeyStore();
  private int serial;

  private KeySupply supply(PoolLimits... limits) {
    return new KeySupply(store, List.of(limits), Duration.ofSeconds(1), nanos::get);
  }

  private static PoolLimits limit(KeySpec spec, int maxStored) {
    return new PoolLimits(spec, maxStored, 1, 1, 1);
  }

  private void store(KeySpec spec) {
    store.add(key(spec));
  }

  private WrappedKey key(KeySpec spec) {
    byte[] unique = ByteBuffer.allocate(4).putInt(++serial).array();
    return new WrappedKey(spec, "w", "AES-KWP", unique, new byte[0]);
  }

  @Test
  void picksThePoolThatIsEmptiestInProportion() {
    KeySupply supply = supply(limit(KeySpec.RSA_2048, 10), limit(KeySpec.EC_P256, 2));
    store(KeySpec.RSA_2048);
    store(KeySpec.RSA_2048);
    store(KeySpec.EC_P256);

    assertThat(supply.reserve()).contains(KeySpec.RSA_2048);
  }

  @Test
  void aPoolWithoutRoomIsNeverPicked() {
    KeySupply supply = supply(limit(KeySpec.RSA_2048, 0), limit(KeySpec.EC_P256, 1));

    assertThat(supply.reserve()).contains(KeySpec.EC_P256);
    assertThat(supply.reserve()).isEmpty();
  }

  @Test
  void afterAFailureThePlaceIsFree() {
    KeySupply supply = supply(limit(KeySpec.RSA_2048, 1));

    assertThat(supply.reserve()).contains(KeySpec.RSA_2048);
    supply.failed(KeySpec.RSA_2048);
    assertThat(supply.reserve()).contains(KeySpec.RSA_2048);
  }

  @Test
  void noticesKeysThatWereClaimedOnceItCountsAgain() {
    KeySupply supply = supply(limit(KeySpec.RSA_2048, 1));
    store(KeySpec.RSA_2048);
    assertThat(supply.reserve()).isEmpty();

    store.claim(KeySpec.RSA_2048, 1);
    assertThat(supply.reserve()).isEmpty();
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(supply.reserve()).contains(KeySpec.RSA_2048);
  }

  /** A statement that failed may have taken effect: its answer was lost. */
  @Test
  void afterAFailureItCountsAgain() {
    KeySupply supply = supply(limit(KeySpec.RSA_2048, 1));
    assertThat(supply.reserve()).contains(KeySpec.RSA_2048);
    store(KeySpec.RSA_2048);

    supply.failed(KeySpec.RSA_2048);

    assertThat(supply.reserve()).isEmpty();
  }

  @Test
  void aCountThatFailedInTheMiddleIsNotUsed() {
    KeySupply supply = supply(limit(KeySpec.RSA_2048, 1), limit(KeySpec.EC_P256, 1));
    store(KeySpec.RSA_2048);
    store(KeySpec.EC_P256);
    AtomicInteger counts = new AtomicInteger();
    store.before(
        Call.COUNT,
        () -> {
          if (counts.incrementAndGet() == 2) {
            throw new StoreException("away", new IllegalStateException());
          }
        });
    assertThatExceptionOfType(StoreException.class).isThrownBy(supply::reserve);

    assertThat(supply.reserve()).isEmpty();
  }

  @Test
  void aPlaceThatIsCancelledIsFree() {
    KeySupply supply = supply(limit(KeySpec.RSA_2048, 1));
    supply.cancelled(supply.reserve().orElseThrow());

    assertThat(supply.reserve()).contains(KeySpec.RSA_2048);
  }

  @Test
  void placesAreReservedForATenthOfASecondAhead() {
    KeySupply supply = supply(limit(KeySpec.EC_P256, 100));
    generate(supply);
    assertThat(store.reserved(KeySpec.EC_P256)).as("the first is tried alone").isZero();

    assertThat(supply.reserve()).contains(KeySpec.EC_P256);
    assertThat(store.reserved(KeySpec.EC_P256)).isEqualTo(32);

    supply.close();
    assertThat(store.reserved(KeySpec.EC_P256)).as("one is in use").isEqualTo(1);
  }

  @Test
  void whatOthersHaveInTheMakingIsNotMadeTwice() {
    KeySupply supply = supply(limit(KeySpec.EC_P256, 5));
    supply.stored(generateOne(supply), 1);
    assertThat(store.reserve(KeySpec.EC_P256, 5, 5)).isEqualTo(4);

    assertThat(supply.reserve()).isEmpty();
    store.keepReserved(KeySpec.EC_P256, 0);
    assertThat(supply.reserve()).as("until it counts again").isEmpty();
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(supply.reserve()).contains(KeySpec.EC_P256);
  }

  @Test
  void afterAFailureNoPlaceIsTakenForReserved() {
    KeySupply supply = supply(limit(KeySpec.EC_P256, 40));
    supply.stored(generateOne(supply), 1);
    KeySpec inFlight = supply.reserve().orElseThrow();
    store.keepReserved(inFlight, 0);

    supply.failed(inFlight);

    supply.stored(generateOne(supply), 1);
    assertThat(store.count(KeySpec.EC_P256)).isEqualTo(2);
  }

  private KeySpec generateOne(KeySupply supply) {
    KeySpec spec = supply.reserve().orElseThrow();
    store.addReserved(List.of(key(spec)));
    return spec;
  }

  @Test
  void aStopThatCannotGivePlacesBackGoesOn() {
    KeySupply supply = supply(limit(KeySpec.EC_P256, 40));
    assertThat(supply.reserve()).isPresent();
    store.failing(true);

    supply.close();

    store.failing(false);
    assertThat(store.reserved(KeySpec.EC_P256)).isEqualTo(1);
  }

  @Test
  void countsWhatWasGeneratedAndStored() {
    KeySupply supply = supply(limit(KeySpec.RSA_2048, 3));
    assertThat(supply.generated(KeySpec.RSA_2048)).isZero();

    supply.stored(supply.reserve().orElseThrow(), 1);
    supply.failed(supply.reserve().orElseThrow());
    supply.cancelled(supply.reserve().orElseThrow());

    assertThat(supply.generated(KeySpec.RSA_2048)).isEqualTo(1);
  }

  /** What a key of each kind takes to make here. */
  private static final Map<KeySpec, Duration> COSTS =
      Map.of(
          KeySpec.EC_P256, Duration.ofMillis(1),
          KeySpec.EC_P384, Duration.ofMillis(2),
          KeySpec.RSA_2048, Duration.ofMillis(100),
          KeySpec.RSA_3072, Duration.ofMillis(100),
          KeySpec.RSA_4096, Duration.ofSeconds(5),
          KeySpec.ML_DSA_44, Duration.ofMillis(1),
          KeySpec.ML_DSA_65, Duration.ofMillis(1),
          KeySpec.ML_DSA_87, Duration.ofMillis(1));

  /** Makes the next key, and takes its time. */
  private Optional<KeySpec> generate(KeySupply supply) {
    Optional<KeySpec> next = supply.reserve();
    next.ifPresent(spec -> {
      long cost = cost(spec);
      nanos.addAndGet(cost);
      store.addReserved(List.of(key(spec)));
      supply.stored(spec, cost);
    });
    return next;
  }

  private void generateFor(Duration time, KeySupply supply) {
    long end = nanos.get() + time.toNanos();
    while (nanos.get() < end && generate(supply).isPresent()) {}
  }

  private void fill(KeySpec spec, int keys) {
    for (int i = 0; i < keys; i++) {
      store(spec);
    }
  }

  /** A thousand of them take as long as ten RSA keys. */
  @Test
  void anEmptyCheapPoolIsFilledBeforeADearOne() {
    KeySupply supply = supply(limit(KeySpec.RSA_2048, 1000), limit(KeySpec.EC_P256, 1000));
    fill(KeySpec.RSA_2048, 200);

    generateFor(Duration.ofSeconds(2), supply);

    assertThat(store.count(KeySpec.EC_P256)).isGreaterThan(900);
  }

  @Test
  void anEmptyDearPoolDoesNotWaitForACheapOneThatIsAlmostFull() {
    KeySupply supply = supply(limit(KeySpec.RSA_2048, 1000), limit(KeySpec.EC_P256, 1000));
    fill(KeySpec.EC_P256, 950);

    generateFor(Duration.ofSeconds(2), supply);

    assertThat(store.count(KeySpec.RSA_2048)).isGreaterThan(18);
  }

  @Test
  void ofTwoThatAreAsEmptyTheOneThatIsUsedGoesFirst() {
    KeySupply supply = supply(limit(KeySpec.RSA_2048, 1000), limit(KeySpec.RSA_3072, 1000));
    fill(KeySpec.RSA_2048, 499);
    fill(KeySpec.RSA_3072, 700);
    generate(supply);
    store.claim(KeySpec.RSA_3072, 200);
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());

    assertThat(generate(supply)).contains(KeySpec.RSA_3072);
  }

  /** Whatever the others need: each kind gets its share of the time. */
  @Test
  void noKindStarves() {
    for (int seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      InMemoryWrappedKeyStore keys = new InMemoryWrappedKeyStore();
      List<KeySpec> specs = new ArrayList<>(List.of(KeySpec.values()));
      Collections.shuffle(specs, random);
      List<PoolLimits> limits =
          specs.subList(0, 2 + random.nextInt(specs.size() - 1)).stream()
              .map(spec -> limit(spec, 1 + random.nextInt(500)))
              .toList();
      KeySupply supply = new KeySupply(keys, limits, Duration.ZERO, nanos::get);
      Map<KeySpec, Long> waited = new EnumMap<>(KeySpec.class);
      for (int step = 0; step < 2_000; step++) {
        Optional<KeySpec> next = supply.reserve();
        if (next.isEmpty()) {
          nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        } else {
          KeySpec made = next.get();
          long cost = cost(made);
          nanos.addAndGet(cost);
          keys.addReserved(List.of(key(made)));
          supply.stored(made, cost);
          for (PoolLimits limit : limits) {
            boolean waits = limit.spec() != made && keys.count(limit.spec()) < limit.maxStored();
            if (waits) {
              waited.merge(limit.spec(), cost, Long::sum);
            } else {
              waited.remove(limit.spec());
            }
          }
        }
        // Some kinds are used as fast as they are made.
        for (PoolLimits limit : limits) {
          if (specs.indexOf(limit.spec()) % 2 == 0 || random.nextInt(10) == 0) {
            keys.claim(limit.spec(), 1 + random.nextInt(20));
          }
        }
        long others = limits.stream().mapToLong(l -> cost(l.spec())).sum();
        for (Map.Entry<KeySpec, Long> wait : waited.entrySet()) {
          assertThat(wait.getValue())
              .as("seed %d, step %d: %s waits", seed, step, wait.getKey())
              .isLessThanOrEqualTo(KeySupply.PATIENCE * cost(wait.getKey()) + 2 * others);
        }
      }
    }
  }

  private static long cost(KeySpec spec) {
    return Objects.requireNonNull(COSTS.get(spec)).toNanos();
  }

  /** Who makes several in a row takes what places there are, and leaves the order as it is. */
  @Test
  void aRowIsOfTheKindThatIsNextAndAsLongAsThereArePlaces() {
    InMemoryWrappedKeyStore keys = new InMemoryWrappedKeyStore();
    KeySupply supply =
        new KeySupply(
            keys,
            List.of(limit(KeySpec.EC_P256, 4), limit(KeySpec.RSA_2048, 2)),
            Duration.ofHours(1),
            nanos::get);
    for (KeySpec first : List.of(KeySpec.EC_P256, KeySpec.RSA_2048)) {
      assertThat(supply.reserve()).contains(first);
      assertThat(supply.reserveAnother(first)).as("nothing is known of its time").isFalse();
      keys.addReserved(List.of(key(first)));
      supply.stored(first, cost(first));
    }

    assertThat(supply.reserve()).contains(KeySpec.EC_P256);
    assertThat(supply.reserveAnother(KeySpec.RSA_2048)).isFalse();
    assertThat(supply.reserveAnother(KeySpec.EC_P256)).isTrue();
    assertThat(supply.reserveAnother(KeySpec.EC_P256)).isTrue();
    assertThat(supply.reserveAnother(KeySpec.EC_P256)).as("full").isFalse();
    assertThat(keys.reserved(KeySpec.EC_P256)).isEqualTo(3);
  }

  /** Rule 6: stored and in flight together never exceed the maximum, in whatever order. */
  @Test
  void neverOvershoots() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      int max = 1 + random.nextInt(6);
      InMemoryWrappedKeyStore keys = new InMemoryWrappedKeyStore();
      KeySupply supply =
          new KeySupply(
              keys, List.of(limit(KeySpec.RSA_2048, max)), Duration.ofSeconds(1), nanos::get);
      Deque<KeySpec> inFlight = new ArrayDeque<>();
      for (int step = 0; step < 100; step++) {
        switch (random.nextInt(5)) {
          case 0, 1 -> supply.reserve().ifPresent(inFlight::add);
          case 2 -> {
            if (!inFlight.isEmpty()) {
              KeySpec spec = inFlight.remove();
              keys.addReserved(List.of(key(spec)));
              supply.stored(spec, 1);
            }
          }
          case 3 -> {
            if (!inFlight.isEmpty()) {
              supply.failed(inFlight.remove());
            }
          }
          default -> {
            if (random.nextBoolean()) {
              nanos.addAndGet(Duration.ofMillis(700).toNanos());
            } else {
              keys.claim(KeySpec.RSA_2048, 1);
            }
          }
        }
        assertThat(keys.count(KeySpec.RSA_2048) + inFlight.size())
            .as("seed %d, step %d", seed, step)
            .isLessThanOrEqualTo(max);
      }
    }
  }
}
