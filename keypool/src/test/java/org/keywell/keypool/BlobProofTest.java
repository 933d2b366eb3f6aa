package org.keywell.keypool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.keypool.PoolRig.EC;
import static org.keywell.keypool.PoolRig.NOT_AT_ALL;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.keywell.keypool.KeyGenerator.Step;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.fake.Operation;

/** A device that wraps wrongly, or whose keys sign wrongly, fills no pool. */
@Timeout(30)
final class BlobProofTest {

  private static final int MAX_STORED = 20;

  private final PoolRig rig = new PoolRig(new PoolLimits(EC, MAX_STORED, 20, 20, 20));
  private final BlobTrust trust = rig.device.blobTrust();

  private Step generate() throws InterruptedException {
    return rig.generator.generateNext(Duration.ofNanos(1), () -> {}, nanos -> true);
  }

  @Test
  void aThrowAwayKeySignsBeforeTheFirstIsStored() throws InterruptedException {
    assertThat(generate()).isEqualTo(Step.GENERATED);

    assertThat(rig.hsm.faults().calls(Operation.SIGN)).isEqualTo(1);
    assertThat(rig.hsm.countLiveKeys()).isZero();
    generate();
    assertThat(rig.hsm.faults().calls(Operation.SIGN)).as("one for a hundred").isEqualTo(1);
  }

  @Test
  void whatIsStoredHasNotSigned() throws InterruptedException {
    generate();
    rig.loader.loadNext(NOT_AT_ALL);

    assertThat(PoolRig.signs(rig.lease(), EC)).isTrue();
  }

  /** Brands differ in what they say of a damaged blob. */
  @ParameterizedTest
  @EnumSource(
      value = Reason.class,
      names = {"WRAPPED_KEY_INVALID", "FAILED", "UNSUPPORTED"})
  void aWrapThatIsSpoiltStopsTheGenerator(Reason answer) throws InterruptedException {
    trust.trialPassed(EC);
    rig.hsm.faults().answerToDamage(answer);
    rig.hsm.faults().spoilWraps(true);

    for (int i = 0; i < BlobTrust.MAX_DISCARDS; i++) {
      assertThat(generate()).isEqualTo(Step.DISCARDED);
    }

    assertThat(generate()).isEqualTo(Step.TRIAL_FAILED);
    assertThat(rig.device.discardsItsKeys()).isTrue();
    assertThat(rig.store.count(EC)).isZero();
    assertThat(rig.counts.stored).isZero();
    assertThat(rig.hsm.countLiveKeys()).isZero();
  }

  @Test
  void itGoesOnAfterFiveGoodKeysInARow() throws InterruptedException {
    aWrapThatIsSpoiltStopsTheGenerator(Reason.WRAPPED_KEY_INVALID);
    rig.hsm.faults().healAll();

    for (int i = 0; i < BlobTrust.GOOD_IN_A_ROW; i++) {
      assertThat(generate()).isEqualTo(Step.TRIAL_PASSED);
    }

    assertThat(rig.device.discardsItsKeys()).isFalse();
    while (generate() == Step.GENERATED) {}
    assertThat(rig.store.count(EC)).as("no place was lost").isEqualTo(MAX_STORED);
  }

  @Test
  void keysThatSignWronglyAreNotStored() throws InterruptedException {
    rig.hsm.faults().garble(call -> true);

    for (int i = 0; i < BlobTrust.MAX_DISCARDS; i++) {
      assertThat(generate()).isEqualTo(Step.DISCARDED);
    }

    assertThat(generate()).isEqualTo(Step.TRIAL_FAILED);
    assertThat(rig.counts.stored).isZero();
  }

  @Test
  void keysThatAreDiscardedWhenTheyAreLoadedCount() throws InterruptedException {
    rig.store(EC, 4);
    rig.hsm.faults().spoilWraps(true);
    rig.store(EC, BlobTrust.MAX_DISCARDS);
    rig.hsm.faults().healAll();

    rig.loader.loadNext(NOT_AT_ALL);

    assertThat(rig.device.discardsItsKeys()).isTrue();
    assertThat(rig.device.depth(EC).loaded()).as("the good ones sign").isEqualTo(4);
  }

  /** The wrap has failed since: the device is told from its keys by what it wrapped before. */
  @Test
  void badKeysAreToldFromTheDeviceWithoutAnotherWrap() throws InterruptedException {
    generate();
    rig.hsm.faults().spoilWraps(true);
    rig.store(EC, 1);

    rig.loader.loadNext(NOT_AT_ALL);

    assertThat(rig.device.depth(EC).loaded()).isPositive();
    assertThat(rig.store.count(EC)).as("the bad one is discarded").isZero();
  }

  @Test
  void keysUnderAWithdrawnWrappingKeyAreNoFaultOfTheDevice() throws InterruptedException {
    generate();
    rig.store(EC, 2 * BlobTrust.MAX_DISCARDS - 1);
    rig.hsm.followWrappingKey();
    rig.hsm.withdrawOldWrappingKeys();

    rig.loader.loadNext(NOT_AT_ALL);

    assertThat(rig.store.count(EC)).as("they are discarded").isZero();
    assertThat(rig.device.depth(EC).loaded()).isZero();
    assertThat(rig.device.discardsItsKeys()).isFalse();
    rig.store(EC, 1);
    rig.loader.loadNext(NOT_AT_ALL);
    assertThat(rig.device.depth(EC).loaded()).as("it proves itself with a new key").isEqualTo(1);
  }

  @Test
  void anotherKindHasATrialOfItsOwn() throws InterruptedException {
    PoolRig two =
        new PoolRig(new PoolLimits(EC, 1, 1, 1, 1), new PoolLimits(KeySpec.RSA_2048, 1, 1, 1, 1));
    while (two.generator.generateNext(Duration.ofNanos(1)) == Step.GENERATED) {}

    assertThat(two.hsm.faults().calls(Operation.SIGN)).isEqualTo(2);
  }

  /** The device is away, which says nothing of what it wraps. */
  @Test
  void aDeviceThatFailsDiscardsNothing() throws InterruptedException {
    trust.trialPassed(EC);
    rig.hsm.faults().failNext(Operation.UNWRAP, Reason.UNAVAILABLE, 1);

    assertThat(org.assertj.core.api.Assertions.catchThrowable(this::generate)).isNotNull();

    assertThat(rig.counts.generationFailed).isPositive();
    assertThat(rig.device.discardsItsKeys()).isFalse();
    while (generate() == Step.GENERATED) {}
    assertThat(rig.store.count(EC)).isEqualTo(MAX_STORED);
  }
}
