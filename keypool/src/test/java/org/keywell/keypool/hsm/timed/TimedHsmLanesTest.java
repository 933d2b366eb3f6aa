package org.keywell.keypool.hsm.timed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.keypool.TestThread;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.keypool.hsm.fake.FakeHsm;
import org.keywell.keypool.hsm.fake.Operation;

/** What several callers see of the times. Each thread says at which millisecond it returned. */
@Timeout(60)
final class TimedHsmLanesTest {
  private final FakeHsm device = new FakeHsm();
  private final ManualTime time = new ManualTime();

  private TimedHsm timed(int lanes, int unwrapLanes) {
    return new TimedHsm(device, Profiles.profile(lanes, unwrapLanes), time, time, new Random(1));
  }

  private KeyHandle key() {
    return device.generate(KeySpec.EC_P256).privateKey();
  }

  private static byte[] sign(TimedHsm hsm, KeyHandle key) {
    return hsm.sign(key, SignatureScheme.ECDSA, DigestAlgorithm.SHA_256, new byte[32]);
  }

  /** Begins an operation; returns when it waits for its time or its turn. */
  private TestThread<Long> begin(Callable<?> operation) {
    return TestThread.start(
            () -> {
              Object result = operation.call();
              assertThat(result).isNotNull();
              return time.millis();
            })
        .awaitWaiting();
  }

  private TestThread<Long> beginSign(TimedHsm hsm) {
    KeyHandle key = key();
    return begin(() -> sign(hsm, key));
  }

  @Test
  void aBurstOnOneLaneIsServedInOrderOneSlotEach() throws Exception {
    TimedHsm hsm = timed(1, 0);
    List<TestThread<Long>> burst = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      burst.add(beginSign(hsm));
    }

    for (int i = 0; i < burst.size(); i++) {
      time.advanceTo(i * 20 + 9);
      time.advanceTo(i * 20 + 10);
      assertThat(burst.get(i).result()).isEqualTo(i * 20 + 10);
    }
  }

  @Test
  void lanesWorkAtTheSameTime() throws Exception {
    TimedHsm hsm = timed(2, 0);
    TestThread<Long> first = beginSign(hsm);
    TestThread<Long> second = beginSign(hsm);
    TestThread<Long> third = beginSign(hsm);

    time.advanceTo(10);
    assertThat(first.result()).isEqualTo(10);
    assertThat(second.result()).isEqualTo(10);
    time.advanceTo(29);
    time.advanceTo(30);
    assertThat(third.result()).isEqualTo(30);
  }

  @Test
  void aGenerationHoldsUpASignature() throws Exception {
    TimedHsm hsm = timed(1, 0);
    TestThread<Long> generation = begin(() -> hsm.generateExtractable(KeySpec.EC_P256));
    TestThread<Long> signature = beginSign(hsm);

    time.advanceTo(600);
    assertThat(generation.result()).isEqualTo(600);
    time.advanceTo(609);
    time.advanceTo(610);
    assertThat(signature.result()).isEqualTo(610);
  }

  @Test
  void anotherLaneDoesNotWaitForAGeneration() throws Exception {
    TimedHsm hsm = timed(2, 0);
    TestThread<Long> generation = begin(() -> hsm.generate(KeySpec.EC_P256));
    List<TestThread<Long>> signatures = List.of(beginSign(hsm), beginSign(hsm));

    time.advanceTo(10);
    assertThat(signatures.getFirst().result()).isEqualTo(10);
    time.advanceTo(30);
    assertThat(signatures.getLast().result()).isEqualTo(30);
    time.advanceTo(600);
    assertThat(generation.result()).isEqualTo(600);
  }

  private WrappedKey wrapped() {
    LiveKeyPair pair = device.generateExtractable(KeySpec.EC_P256);
    return device.wrap(pair);
  }

  @Test
  void unwrappingTakesALaneLikeTheRest() throws Exception {
    TimedHsm hsm = timed(1, 0);
    WrappedKey wrapped = wrapped();
    TestThread<Long> unwrapping = begin(() -> hsm.unwrap(wrapped));
    TestThread<Long> signature = beginSign(hsm);

    time.advanceTo(70);
    assertThat(unwrapping.result()).isEqualTo(70);
    time.advanceTo(80);
    assertThat(signature.result()).isEqualTo(80);
  }

  @Test
  void unwrappingOnALaneOfItsOwnHoldsUpOnlyItself() throws Exception {
    TimedHsm hsm = timed(1, 1);
    WrappedKey wrapped = wrapped();
    TestThread<Long> unwrapping = begin(() -> hsm.unwrap(wrapped));
    TestThread<Long> next = begin(() -> hsm.unwrap(wrapped));
    TestThread<Long> signature = beginSign(hsm);

    time.advanceTo(10);
    assertThat(signature.result()).isEqualTo(10);
    time.advanceTo(70);
    assertThat(unwrapping.result()).isEqualTo(70);
    time.advanceTo(140);
    assertThat(next.result()).isEqualTo(140);
  }

  @Test
  void aDeviceThatIsSlowerThanTheProfileHoldsTheLane() throws Exception {
    TimedHsm hsm = timed(1, 0);
    KeyHandle slow = key();
    device.faults().hang(Operation.SIGN);
    TestThread<Long> slowSignature = begin(() -> sign(hsm, slow));
    TestThread<Long> next = beginSign(hsm);

    time.advanceTo(100);
    assertThat(slowSignature.isDone()).isFalse();
    assertThat(device.faults().calls(Operation.SIGN)).isEqualTo(1);
    device.faults().heal(Operation.SIGN);

    assertThat(slowSignature.result()).isEqualTo(100);
    assertThat(hsm.destroy(slow)).isEqualTo(Destruction.DONE);
    time.advanceTo(109);
    time.advanceTo(110);
    assertThat(next.result()).isEqualTo(110);
  }

  @Test
  void aSlotBeginsAtTheEndOfTheOneBeforeHoweverLateItIsNoticed() throws Exception {
    TimedHsm hsm = timed(1, 0);
    TestThread<Long> first = beginSign(hsm);
    TestThread<Long> second = beginSign(hsm);

    time.advanceTo(29);
    assertThat(first.result()).isEqualTo(29);
    time.advanceTo(30);
    assertThat(second.result()).isEqualTo(30);
  }

  @Test
  void destroyWaitsForTheEndOfTheSigningAlone() throws Exception {
    TimedHsm hsm = timed(1, 0);
    KeyHandle key = key();
    TestThread<Long> signature = begin(() -> sign(hsm, key));
    time.advanceTo(10);
    assertThat(signature.result()).isEqualTo(10);
    TestThread<Long> next = beginSign(hsm);
    TestThread<Long> destruction = begin(() -> hsm.destroy(key));

    // The device has destroyed it by now; only the answer is held back.
    assertThat(device.countLiveKeys()).isEqualTo(1);
    time.advanceTo(20);
    assertThat(destruction.result()).isEqualTo(20);
    time.advanceTo(30);
    assertThat(next.result()).isEqualTo(30);
  }

  @Test
  void anInterruptShortensNothingAndIsNotLost() throws Exception {
    TimedHsm hsm = timed(1, 0);
    TestThread<Boolean> working =
        TestThread.start(() -> {
          assertThat(hsm.generate(KeySpec.EC_P256)).isNotNull();
          assertThat(time.millis()).isEqualTo(600);
          return Thread.currentThread().isInterrupted();
        });
    working.awaitWaiting();
    TestThread<Boolean> queued =
        TestThread.start(() -> {
          assertThat(hsm.generate(KeySpec.EC_P256)).isNotNull();
          assertThat(time.millis()).isEqualTo(1_200);
          return Thread.currentThread().isInterrupted();
        });
    queued.awaitWaiting();

    working.interrupt();
    queued.interrupt();
    time.advanceTo(599);
    time.advanceTo(600);
    assertThat(working.result()).isTrue();
    time.advanceTo(1_199);
    time.advanceTo(1_200);
    assertThat(queued.result()).isTrue();
  }
}
