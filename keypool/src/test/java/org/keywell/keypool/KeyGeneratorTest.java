package org.keywell.keypool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.keywell.keypool.PoolRig.EC;
import static org.keywell.keypool.PoolRig.FOR_EVER;
import static org.keywell.keypool.PoolRig.NOT_AT_ALL;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.keypool.KeyGenerator.Step;
import org.keywell.keypool.PoolListener.Stage;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.fake.Operation;
import org.keywell.keypool.store.InMemoryWrappedKeyStore.Call;
import org.keywell.keypool.store.StoreException;

@Timeout(30)
final class KeyGeneratorTest {

  private static final int MAX_STORED = 2;
  private static final Duration SHORT = Duration.ofNanos(1);

  private final PoolLimits limits = new PoolLimits(EC, MAX_STORED, 4, 4, 4);
  private final PoolRig rig = new PoolRig(limits);
  private final SigningActivity activity = rig.activity;
  private final KeySupply supply = rig.supply;
  private final KeyGenerator generator = rig.generator;

  KeyGeneratorTest() {
    rig.device.blobTrust().trialPassed(EC);
  }

  private Step generate() throws InterruptedException {
    return generator.generateNext(SHORT);
  }

  private void generatesUntilFull() throws InterruptedException {
    for (int i = 0; i < MAX_STORED; i++) {
      assertThat(generate()).isEqualTo(Step.GENERATED);
    }
    assertThat(generate()).isEqualTo(Step.POOLS_FULL);
  }

  @Test
  void storesAKeyThatUnwrapsAndLeavesNoneLive() throws InterruptedException {
    assertThat(generate()).isEqualTo(Step.GENERATED);

    assertThat(rig.hsm.countLiveKeys()).isZero();
    rig.loader.loadNext(NOT_AT_ALL);
    assertThat(PoolRig.signs(rig.lease(), EC)).isTrue();
  }

  @Test
  void tellsOfAKeyOnlyWhenItIsDurable() throws InterruptedException {
    List<Long> storedWhenTold = new ArrayList<>();
    PoolListener listener =
        new PoolListener() {
          @Override
          public void stored(KeySpec spec) {
            storedWhenTold.add(rig.store.count(spec));
          }
        };
    KeyGenerator told = new KeyGenerator(rig.device, rig.workers.tier(), listener);
    for (int i = 0; i < MAX_STORED; i++) {
      told.generateNext(SHORT);
    }

    assertThat(storedWhenTold).containsExactly(1L, 2L);
  }

  @Test
  void tellsOfEachStage() throws InterruptedException {
    generatesUntilFull();

    assertThat(rig.counts.stored).isEqualTo(2);
    assertThat(rig.counts.stages.subList(0, 4)).containsExactly(Stage.values());
    assertThat(rig.counts.stages).hasSize(8);
  }

  /** With room for two keys, of which it is known that they are made fast. */
  private static PoolRig fast() {
    PoolRig fast = new PoolRig(new PoolLimits(EC, 3, 4, 4, 4));
    assertThat(fast.supply.reserve()).contains(EC);
    LiveKeyPair pair = fast.hsm.generateExtractable(EC);
    fast.store.addReserved(List.of(fast.hsm.wrap(pair)));
    fast.destroy(pair.privateKey());
    fast.supply.stored(EC, 1);
    fast.device.blobTrust().trialPassed(EC);
    return fast;
  }

  private static Step generateTogether(PoolRig rig) throws InterruptedException {
    return rig.generator.generateNext(SHORT, () -> {}, nanos -> true);
  }

  /** Commits cost more than keys of a kind that is made fast. */
  @Test
  void keysThatAreMadeInARowAreStoredTogether() throws InterruptedException {
    PoolRig fast = fast();

    assertThat(generateTogether(fast)).isEqualTo(Step.GENERATED);

    assertThat(fast.counts.stages)
        .containsExactly(
            Stage.GENERATE,
            Stage.WRAP,
            Stage.DESTROY,
            Stage.GENERATE,
            Stage.WRAP,
            Stage.DESTROY,
            Stage.STORE,
            Stage.STORE);
    assertThat(fast.counts.stored).as("and no more than there is room for").isEqualTo(2);
    assertThat(generateTogether(fast)).isEqualTo(Step.POOLS_FULL);
    assertThat(fast.store.reserved(EC)).isZero();
  }

  @Test
  void aRequestThatComesMeanwhileEndsTheRow() throws InterruptedException {
    PoolRig fast = fast();
    Step step =
        fast.generator.generateNext(
            SHORT,
            () -> {},
            nanos -> {
              fast.activity.began();
              return true;
            });

    assertThat(step).isEqualTo(Step.GENERATED);
    assertThat(fast.counts.stored).isEqualTo(1);
  }

  @Test
  void whatWasMadeBeforeTheDeviceFailsIsStored() throws InterruptedException {
    PoolRig fast = fast();
    fast.hsm.faults().failAfter(1, Operation.WRAP, Reason.UNAVAILABLE, 1);

    assertThatExceptionOfType(HsmException.class).isThrownBy(() -> generateTogether(fast));

    assertThat(fast.counts.stored).isEqualTo(1);
    assertThat(fast.counts.generationFailed).isEqualTo(1);
    assertThat(fast.hsm.countLiveKeys()).isZero();
    assertThat(generateTogether(fast)).as("the place is free again").isEqualTo(Step.GENERATED);
    assertThat(generateTogether(fast)).isEqualTo(Step.POOLS_FULL);
  }

  @Test
  void keysThatCannotBeStoredAreGoneTogether() throws InterruptedException {
    PoolRig fast = fast();
    fast.store.failing(Call.ADD, true);

    assertThatExceptionOfType(StoreException.class).isThrownBy(() -> generateTogether(fast));

    assertThat(fast.counts.generationFailed).isEqualTo(2);
    assertThat(fast.counts.stored).isZero();
    fast.store.failing(Call.ADD, false);
    assertThat(generateTogether(fast)).isEqualTo(Step.GENERATED);
    assertThat(fast.counts.stored).as("their places are free again").isEqualTo(2);
  }

  @Test
  void aRowEndsAtTheLimitOfOrphans() throws InterruptedException {
    PoolRig fast = fast();
    fast.hsm.faults().destroyReturns(0x30);
    while (fast.destroyer.count() < PoolRig.MAX_ORPHANS - 1) {
      fast.destroy(fast.hsm.generate(EC).privateKey());
    }

    assertThat(generateTogether(fast)).isEqualTo(Step.GENERATED);

    assertThat(fast.destroyer.count()).isEqualTo(PoolRig.MAX_ORPHANS);
    assertThat(fast.counts.stored).isEqualTo(1);
  }

  /** A lease would else find the pool empty until the loader looks again. */
  @Test
  void aStoredKeyCanBeLoadedAtOnce() throws InterruptedException {
    rig.load();
    assertThat(rig.pools.lease(EC)).isEmpty();

    generate();
    rig.load();

    assertThat(rig.pools.lease(EC)).isPresent();
  }

  @Test
  void tellsOfAKeyThatCameToNothing() {
    rig.hsm.faults().failNext(Operation.WRAP, Reason.UNAVAILABLE, 1);

    assertThatExceptionOfType(HsmException.class).isThrownBy(this::generate);

    assertThat(rig.counts.generationFailed).isEqualTo(1);
    assertThat(rig.counts.stored).isZero();
    assertThat(rig.counts.stages).containsExactly(Stage.GENERATE, Stage.DESTROY);
    assertThat(rig.counts.destroyed).isEqualTo(1);
  }

  @Test
  void generatesNothingWhileARequestIsInProgress() throws InterruptedException {
    activity.began();

    assertThat(generate()).isEqualTo(Step.DEVICE_BUSY);
    assertThat(rig.hsm.faults().calls(Operation.GENERATE_EXTRACTABLE)).isZero();

    activity.ended();
    assertThat(generate()).isEqualTo(Step.GENERATED);
  }

  @Test
  void aRequestThatComesDuringAGenerationStopsTheNextOne() throws Exception {
    rig.hsm.faults().hang(Operation.GENERATE_EXTRACTABLE);
    TestThread<Step> first = TestThread.start(this::generate);
    rig.hsm.faults().awaitHanging(Operation.GENERATE_EXTRACTABLE, 1);

    activity.began();
    rig.hsm.faults().healAll();

    assertThat(first.result()).isEqualTo(Step.GENERATED);
    assertThat(generate()).isEqualTo(Step.DEVICE_BUSY);
  }

  @Test
  void aRequestThatComesWhileTheStoreIsCountedStopsTheGeneration() throws InterruptedException {
    rig.store.before(Call.COUNT, activity::began);

    assertThat(generate()).isEqualTo(Step.DEVICE_BUSY);

    assertThat(rig.hsm.faults().calls(Operation.GENERATE_EXTRACTABLE)).isZero();
    rig.store.failing(Call.COUNT, false);
    activity.ended();
    for (int i = 0; i < MAX_STORED; i++) {
      assertThat(generate()).as("the place was given back").isEqualTo(Step.GENERATED);
    }
  }

  @Test
  void waitsForTheEndOfTheRequest() throws Exception {
    activity.began();
    TestThread<Step> waiting =
        TestThread.start(() -> generator.generateNext(FOR_EVER)).awaitWaiting();

    activity.ended();

    assertThat(waiting.result()).isEqualTo(Step.GENERATED);
  }

  @Test
  void twoGeneratorsDoNotOvershoot() throws Exception {
    generate();
    rig.hsm.faults().hang(Operation.GENERATE_EXTRACTABLE);
    TestThread<Step> last = TestThread.start(this::generate);
    rig.hsm.faults().awaitHanging(Operation.GENERATE_EXTRACTABLE, 1);

    assertThat(generate()).as("the key in the making counts").isEqualTo(Step.POOLS_FULL);

    rig.hsm.faults().healAll();
    assertThat(last.result()).isEqualTo(Step.GENERATED);
  }

  @Test
  void aFailedGenerationLeavesItsPlace() throws InterruptedException {
    rig.hsm.faults().failNext(Operation.GENERATE_EXTRACTABLE, Reason.UNAVAILABLE, 1);

    assertThatExceptionOfType(HsmException.class).isThrownBy(this::generate);

    generatesUntilFull();
  }

  @Test
  void aKeyThatCannotBeWrappedIsDestroyed() throws InterruptedException {
    rig.hsm.faults().failNext(Operation.WRAP, Reason.FAILED, 1);

    assertThatExceptionOfType(HsmException.class).isThrownBy(this::generate);

    assertThat(rig.hsm.countLiveKeys()).isZero();
    assertThat(rig.counts.stored).isZero();
    generatesUntilFull();
  }

  @Test
  void aKeyThatCannotBeStoredIsGone() throws InterruptedException {
    rig.store.failing(Call.ADD, true);

    assertThatExceptionOfType(StoreException.class).isThrownBy(this::generate);

    assertThat(rig.hsm.countLiveKeys()).isZero();
    assertThat(rig.counts.stored).isZero();
    rig.store.failing(Call.ADD, false);
    generatesUntilFull();
  }

  @Test
  void copiesThatAreNotDestroyedAreOrphans() throws InterruptedException {
    rig.hsm.faults().destroyReturns(0x30);

    assertThat(generate()).isEqualTo(Step.GENERATED);

    assertThat(rig.destroyer.count())
        .as("the generated one, and the one that was unwrapped to prove the blob")
        .isEqualTo(2);
  }

  /** Or a device that destroys nothing would fill up at night, one orphan with each key. */
  @Test
  void stopsAtTheLimitOfOrphansAndGoesOnWhenTheyAreGone() throws InterruptedException {
    rig.hsm.faults().destroyReturns(0x30);
    while (!rig.destroyer.atLimit()) {
      generate();
      rig.store.claim(EC, 1);
      supply.failed(supply.reserve().orElseThrow());
    }

    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(this::generate)
        .withMessageContaining("max-orphans");
    assertThat(rig.hsm.countLiveKeys()).isEqualTo(PoolRig.MAX_ORPHANS);

    rig.hsm.faults().healAll();
    assertThat(generate()).isEqualTo(Step.GENERATED);
    assertThat(rig.hsm.countLiveKeys()).isZero();
  }
}
