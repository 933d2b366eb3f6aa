package org.keywell.keypool.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.keypool.pool.PoolLimits;
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
    byte[] unique = ByteBuffer.allocate(4).putInt(++serial).array();
    store.add(new WrappedKey(spec, "w", "AES-KWP", unique, new byte[0]));
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
  void countsWhatWasGeneratedAndStored() {
    KeySupply supply = supply(limit(KeySpec.RSA_2048, 3));
    assertThat(supply.generated(KeySpec.RSA_2048)).isZero();

    supply.stored(supply.reserve().orElseThrow());
    supply.failed(supply.reserve().orElseThrow());
    supply.cancelled(supply.reserve().orElseThrow());

    assertThat(supply.generated(KeySpec.RSA_2048)).isEqualTo(1);
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
              byte[] unique = ByteBuffer.allocate(4).putInt(++serial).array();
              keys.add(new WrappedKey(spec, "w", "AES-KWP", unique, new byte[0]));
              supply.stored(spec);
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
