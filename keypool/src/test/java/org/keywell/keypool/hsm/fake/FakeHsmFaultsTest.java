package org.keywell.keypool.hsm.fake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.WrappedKey;

final class FakeHsmFaultsTest {
  private final FakeHsm hsm = new FakeHsm();

  @Test
  void failsAsOftenAsTold() {
    hsm.faults().failNext(Operation.GENERATE, Reason.UNAVAILABLE, 1);

    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(() -> hsm.generate(KeySpec.EC_P256))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.UNAVAILABLE));
    assertThat(hsm.generate(KeySpec.EC_P256)).isNotNull();
    assertThat(hsm.faults().calls(Operation.GENERATE)).isEqualTo(2);
  }

  @Test
  void hangsUntilHealed() {
    hsm.faults().hang(Operation.GENERATE);
    CompletableFuture<LiveKeyPair> call =
        CompletableFuture.supplyAsync(() -> hsm.generate(KeySpec.EC_P256));

    hsm.faults().awaitHanging(Operation.GENERATE, 1);
    assertThat(call).isNotDone();
    hsm.faults().heal(Operation.GENERATE);

    assertThat(call.join()).isNotNull();
  }

  @Test
  void aKeyThatIsNotDestroyedStaysLive() {
    LiveKeyPair pair = hsm.generate(KeySpec.EC_P256);
    hsm.faults().destroyReturns(0x30);

    assertThat(hsm.destroy(pair.privateKey())).isEqualTo(new Destruction(0x30));
    assertThat(hsm.countLiveKeys()).isEqualTo(1);

    hsm.faults().healAll();
    assertThat(hsm.destroy(pair.privateKey()).succeeded()).isTrue();
    assertThat(hsm.countLiveKeys()).isZero();
  }

  @Test
  void aRestartLosesLiveKeysAndKeepsTheWrappingKey() {
    LiveKeyPair pair = hsm.generateExtractable(KeySpec.EC_P256);
    WrappedKey wrapped = hsm.wrap(pair);

    FakeHsm restarted = hsm.restarted();

    assertThat(restarted.countLiveKeys()).isZero();
    assertThat(restarted.unwrap(wrapped)).isNotNull();
  }
}
