package org.keywell.keypool.hsm.timed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.keypool.hsm.fake.FakeHsm;
import org.keywell.keypool.hsm.fake.Operation;
import org.keywell.keypool.hsm.timed.DeviceProfile.OperationTime;

/** What one caller sees of the times; the clock jumps to whatever is waited for. */
final class TimedHsmTest {
  private static final int DRAWS = 200;

  private final FakeHsm device = new FakeHsm();
  private final JumpingTime time = new JumpingTime();
  private final TimedHsm hsm = timed(Profiles.profile(1, 0));

  private TimedHsm timed(DeviceProfile profile) {
    return new TimedHsm(device, profile, time, time, new Random(1));
  }

  private KeyHandle key() {
    return device.generate(KeySpec.EC_P256).privateKey();
  }

  private void sign(KeyHandle key) {
    byte[] signature = hsm.sign(key, SignatureScheme.ECDSA, DigestAlgorithm.SHA_256, new byte[32]);
    assertThat(signature).isNotEmpty();
  }

  @Test
  void eachOperationTakesItsTime() {
    LiveKeyPair pair = hsm.generateExtractable(KeySpec.EC_P256);
    assertThat(time.millis()).isEqualTo(600);

    var wrapped = hsm.wrap(pair);
    assertThat(time.millis()).isEqualTo(730);

    assertThat(hsm.unwrap(wrapped)).isNotNull();
    assertThat(time.millis()).isEqualTo(800);

    assertThat(hsm.generate(KeySpec.EC_P256)).isNotNull();
    assertThat(time.millis()).isEqualTo(1_400);
  }

  @Test
  void signToDestroyTakesTheTimeOfASigning() {
    KeyHandle key = key();

    sign(key);
    assertThat(time.millis()).isEqualTo(10);

    assertThat(hsm.destroy(key)).isEqualTo(Destruction.DONE);
    assertThat(time.millis()).isEqualTo(20);
  }

  @Test
  void workBetweenSignAndDestroyFitsIntoTheSigning() {
    KeyHandle key = key();
    sign(key);

    time.sleepUntil(15_000_000);
    assertThat(hsm.destroy(key)).isEqualTo(Destruction.DONE);
    assertThat(time.millis()).isEqualTo(20);
  }

  @Test
  void workThatOutlastsTheSigningIsNotWaitedForTwice() {
    KeyHandle key = key();
    sign(key);

    time.sleepUntil(50_000_000);
    assertThat(hsm.destroy(key)).isEqualTo(Destruction.DONE);
    assertThat(time.millis()).isEqualTo(50);
  }

  @Test
  void cyclesFollowEachOtherWithoutAGap() {
    for (int cycle = 1; cycle <= 5; cycle++) {
      KeyHandle key = key();
      sign(key);
      assertThat(hsm.destroy(key)).isEqualTo(Destruction.DONE);
      assertThat(time.millis()).isEqualTo(cycle * 20L);
    }
  }

  @Test
  void aKeyThatDidNotSignIsDestroyedAtOnce() {
    KeyHandle signed = key();
    KeyHandle unused = key();
    sign(signed);

    assertThat(hsm.destroy(unused)).isEqualTo(Destruction.DONE);

    assertThat(time.millis()).isEqualTo(10);
  }

  @Test
  void aDestructionThatFailsWaitsOnceOnly() {
    KeyHandle key = key();
    sign(key);
    device.faults().destroyReturns(0x30);

    assertThat(hsm.destroy(key)).isEqualTo(new Destruction(0x30));
    assertThat(time.millis()).isEqualTo(20);

    device.faults().healAll();
    assertThat(hsm.destroy(key)).isEqualTo(Destruction.DONE);
    assertThat(time.millis()).isEqualTo(20);
    assertThat(device.countLiveKeys()).isZero();
  }

  @Test
  void aKeyThatNobodyDestroyedHoldsNothing() {
    List<KeyHandle> forgotten = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      forgotten.add(key());
      sign(forgotten.getLast());
    }
    // The last one began when the nine before it were over.
    assertThat(time.millis()).isEqualTo(9 * 20 + 10);

    forgotten.subList(0, 9).forEach(hsm::destroy);
    assertThat(time.millis()).isEqualTo(9 * 20 + 10);
    assertThat(hsm.destroy(forgotten.getLast())).isEqualTo(Destruction.DONE);
    assertThat(time.millis()).isEqualTo(10 * 20);
  }

  @Test
  void aFailureCostsItsTimeAndIsPassedOn() {
    device.faults().failNext(Operation.GENERATE, Reason.UNAVAILABLE, 1);

    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(() -> hsm.generate(KeySpec.EC_P256))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.UNAVAILABLE));

    assertThat(time.millis()).isEqualTo(600);
  }

  @Test
  void aFailedSignatureCostsAWholeSigning() {
    KeyHandle key = key();
    device.faults().failNext(Operation.SIGN, Reason.FAILED, 1);

    assertThatExceptionOfType(HsmException.class).isThrownBy(() -> sign(key));
    assertThat(time.millis()).isEqualTo(10);
    assertThat(hsm.destroy(key)).isEqualTo(Destruction.DONE);
    assertThat(time.millis()).isEqualTo(20);
  }

  @Test
  void theRealOperationIsNeverSkipped() {
    LiveKeyPair pair = hsm.generateExtractable(KeySpec.EC_P256);
    KeyHandle unwrapped = hsm.unwrap(hsm.wrap(pair));
    sign(unwrapped);
    hsm.destroy(unwrapped);
    hsm.destroy(pair.privateKey());
    hsm.destroy(hsm.generate(KeySpec.EC_P256).privateKey());

    assertThat(device.faults().calls(Operation.GENERATE_EXTRACTABLE)).isEqualTo(1);
    assertThat(device.faults().calls(Operation.WRAP)).isEqualTo(1);
    assertThat(device.faults().calls(Operation.UNWRAP)).isEqualTo(1);
    assertThat(device.faults().calls(Operation.SIGN)).isEqualTo(1);
    assertThat(device.faults().calls(Operation.GENERATE)).isEqualTo(1);
    assertThat(device.faults().calls(Operation.DESTROY)).isEqualTo(3);
    assertThat(device.countLiveKeys()).isZero();
  }

  @Test
  void countingAndNamesTakeNoTime() {
    assertThat(hsm.countLiveKeys()).isZero();
    assertThat(hsm.wrappingKeyId()).isEqualTo(device.wrappingKeyId());
    assertThat(hsm.wrapMechanism()).isEqualTo(device.wrapMechanism());
    assertThat(hsm.profile()).isEqualTo(Profiles.profile(1, 0));
    assertThat(time.millis()).isZero();
  }

  @Test
  void closingClosesTheDevice() {
    hsm.close();

    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(() -> device.generate(KeySpec.EC_P256))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.SESSION_LOST));
  }

  @Test
  void timesAreDrawnFromTheWholeRange() {
    OperationTime range = OperationTime.parse("3ms..5ms");
    DeviceProfile spread = new DeviceProfile("test", "a test", 1, 0, range, range, range, range);
    TimedHsm timed = timed(spread);
    LiveKeyPair pair = device.generateExtractable(KeySpec.EC_P256);
    List<Long> micros = new ArrayList<>();
    for (int i = 0; i < DRAWS; i++) {
      long before = time.getAsLong();
      assertThat(timed.wrap(pair)).isNotNull();
      micros.add((time.getAsLong() - before) / 1_000);
    }

    assertThat(micros).allMatch(m -> m >= 3_000 && m <= 5_000);
    assertThat(micros).anyMatch(m -> m < 3_200).anyMatch(m -> m > 4_800);
  }
}
