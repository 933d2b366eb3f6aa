package org.keywell.operations.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.keypool.PoolRig.EC;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.keywell.keypool.KeyLease;
import org.keywell.keypool.PoolLimits;
import org.keywell.keypool.PoolRig;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.signing.pool.PoolDepths;
import org.keywell.testkit.ManualTime;

final class PoolPartTest {

  private static final KeySpec OTHER = KeySpec.EC_P384;

  private final List<PoolLimits> limits =
      List.of(new PoolLimits(EC, 9, 2, 2, 2), new PoolLimits(OTHER, 9, 2, 2, 2));
  private final PoolRig rig = new PoolRig(limits.getFirst(), limits.getLast());
  private final ManualTime time = new ManualTime();
  private final PoolDepths depths = new PoolDepths(rig.pools, time);

  private int waitingForKey;

  private PoolPart part(boolean refusesWhenEmpty) {
    return new PoolPart(
        rig.pools, refusesWhenEmpty, depths, _ -> waitingForKey, new Moments(time, time));
  }

  @Test
  void whatIsNotKnownIsHeldToBeWell() {
    assertThat(part(true).state().isReady()).isTrue();
  }

  @Test
  void isNotReadyOnceEveryKindHasRunOut() {
    PoolPart part = part(true);
    rig.store(OTHER, 1);
    depths.sample();
    assertThat(part.state().isReady()).as("one kind is left").isTrue();

    rig.store.claim(OTHER, 1);
    depths.sample();

    PartState.Fault fault = part.state().fault().orElseThrow();
    assertThat(fault.reason()).contains("empty", "keywell.pool.when-empty");
    Instant since = fault.since();
    time.advance(Duration.ofMinutes(1));
    assertThat(part.state().fault().orElseThrow().since()).isEqualTo(since);

    rig.store(EC, 1);
    depths.sample();
    assertThat(part.state().isReady()).isTrue();
  }

  @Test
  void anEmptyPoolIsNoFaultWhereKeysAreGeneratedForRequests() {
    depths.sample();

    assertThat(part(false).state().isReady()).isTrue();
  }

  @Test
  void tooManyOrphansAreAFault() throws InterruptedException {
    rig.hsm.faults().destroyReturns(0x30);
    rig.loaded(2);
    for (int i = 0; i < PoolRig.MAX_ORPHANS; i++) {
      assertThat(part(false).state().isReady()).isTrue();
      rig.destroy(rig.hsm.generate(EC).privateKey());
    }

    assertThat(part(false).state().fault().orElseThrow().reason())
        .contains("keywell.pool.max-orphans");
  }

  @Test
  void tellsWhereActsHoldKeysAndRequestsHaveNone() throws Exception {
    depths.sample();
    PoolPart part = part(true);
    assertThat(part.state().details().get(EC.label()))
        .asInstanceOf(InstanceOfAssertFactories.MAP)
        .doesNotContainKeys("heldByOpenActs", "requestsWithoutKey");

    waitingForKey = 3;
    KeyLease held = rig.loaded(1).lease();
    PoolRig.prove(held);
    held.hold();

    assertThat(part.state().details().get(EC.label()))
        .asInstanceOf(InstanceOfAssertFactories.MAP)
        .containsEntry("heldByOpenActs", 1)
        .containsEntry("requestsWithoutKey", 3);
  }
}
