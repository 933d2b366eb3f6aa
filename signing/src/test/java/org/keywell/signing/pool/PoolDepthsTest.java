package org.keywell.signing.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;
import static org.keywell.keypool.PoolRig.EC;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.keywell.keypool.PoolConfig;
import org.keywell.keypool.PoolLimits;
import org.keywell.keypool.PoolRig;
import org.keywell.keypool.store.StoreException;
import org.keywell.testkit.ManualTime;

/** On a pool without threads: the test makes the moves, and the seconds pass. */
final class PoolDepthsTest {

  private static final PoolLimits LIMITS = new PoolLimits(EC, 40, 10, 5, 5);

  private final PoolRig rig = new PoolRig(LIMITS);
  private final ManualTime time = new ManualTime();
  private final PoolDepths depths = new PoolDepths(rig.pools, time);

  private Depth afterASecond() {
    time.advance(Duration.ofSeconds(1));
    assertThat(depths.sample()).isEqualTo(Duration.ofSeconds(1));
    return depths.of(EC).orElseThrow();
  }

  @Test
  void isNotKnownBeforeTheFirstCount() {
    assertThat(depths.of(EC)).isEmpty();
  }

  @Test
  void loadingIsNoDrain() throws InterruptedException {
    rig.store(EC, 30);
    assertThat(afterASecond())
        .isEqualTo(new Depth(30, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY));

    rig.load();

    Depth loaded = afterASecond();
    assertThat(loaded.stored()).isLessThan(30);
    assertThat(loaded.emptySeconds()).isInfinite();
  }

  @Test
  void leasesDrainBothTiersTogether() throws InterruptedException {
    rig.store(EC, 30);
    rig.load();
    afterASecond();
    Depth depth = afterASecond();
    assertThat(depth.emptySeconds()).isInfinite();
    for (int second = 0; second < 10; second++) {
      rig.lease().destroy();
      rig.lease().destroy();
      rig.load();
      depth = afterASecond();
    }

    assertThat(depth.emptySeconds()).as("10 keys at 2 a second").isEqualTo(5, within(1e-9));
    rig.leaseAll();
    rig.load();
    rig.leaseAll();
    rig.load();
    rig.leaseAll();
    assertThat(afterASecond()).isEqualTo(new Depth(0, 0, Double.POSITIVE_INFINITY));
  }

  @Test
  void storingFills() {
    afterASecond();
    Depth depth = afterASecond();
    assertThat(depth.emptySeconds()).isZero();
    for (int second = 0; second < 10; second++) {
      rig.store(EC, 2);
      depth = afterASecond();
    }

    assertThat(depth.stored()).isEqualTo(20);
    // Two keys a second, but for the first of eleven.
    assertThat(depth.fullSeconds()).isEqualTo(20 / (20 / 11.0), within(1e-9));
    assertThat(depth.emptySeconds()).isInfinite();
    rig.store(EC, 20);
    assertThat(afterASecond().fullSeconds()).isZero();
  }

  @Test
  void withoutAPoolNothingRunsDry() {
    PoolRig traditional =
        new PoolRig(
            new PoolConfig(PoolConfig.Mode.ON_THE_FLY, List.of(LIMITS), 1, Duration.ZERO, 1));
    PoolDepths onTheFly = new PoolDepths(traditional.pools, time);
    onTheFly.sample();

    assertThat(onTheFly.of(EC))
        .contains(new Depth(0, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY));
  }

  @Test
  void whileTheStoreFailsNothingIsKnown() {
    rig.store(EC, 3);
    afterASecond();
    rig.store.failing(true);

    assertThatExceptionOfType(StoreException.class).isThrownBy(depths::sample);
    assertThat(depths.of(EC)).isEmpty();

    rig.store.failing(false);
    assertThat(afterASecond().stored()).isEqualTo(3);
  }

  @Test
  void aSlowCountRestsFiftyTimesAsLong() {
    time.advancePerReading(Duration.ofMillis(100));

    assertThat(depths.sample()).as("two readings later").isEqualTo(Duration.ofSeconds(10));
  }
}
