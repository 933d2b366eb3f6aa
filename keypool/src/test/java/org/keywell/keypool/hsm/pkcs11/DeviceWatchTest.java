package org.keywell.keypool.hsm.pkcs11;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.keywell.keypool.TestThread;
import org.keywell.keypool.WatchedDevice;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmHealth;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;

/** An idle device is asked, and one that is down proves itself before it counts as up again. */
@Tag("softhsm")
final class DeviceWatchTest {
  private static final long CKR_DEVICE_ERROR = 0x30;

  private final SoftHsmToken token = SoftHsmToken.create();
  private final InterposedModule module = new InterposedModule(token.config());
  private final RecordedCalls calls = new RecordedCalls();
  private final Pkcs11Hsm hsm = open();
  private final DeviceState state = hsm.state();
  private final WatchedDevice watch = new WatchedDevice(hsm, 3);

  private Pkcs11Hsm open() {
    return new Pkcs11Hsm(module.library(), token.config(), token::pin, CallLimits.DEFAULT, calls);
  }

  @AfterEach
  void close() {
    hsm.close();
  }

  private void look(Duration afterTheLastCall) {
    calls.clear();
    watch.look(state.lastSuccessNanos() + afterTheLastCall.toNanos());
  }

  @Test
  void aDeviceInUseIsNotAsked() {
    look(Duration.ofSeconds(4));

    assertThat(calls.calls()).isEmpty();
  }

  @Test
  void anIdleDeviceIsAskedForSessionAndToken() {
    look(Duration.ofSeconds(5));

    assertThat(calls.functions())
        .as("the sessions of the keys, another one, the token")
        .containsExactly(
            CkFunction.C_GET_SESSION_INFO,
            CkFunction.C_GET_SESSION_INFO,
            CkFunction.C_GET_SESSION_INFO,
            CkFunction.C_GET_SESSION_INFO,
            CkFunction.C_GET_SESSION_INFO,
            CkFunction.C_GET_TOKEN_INFO);
  }

  private void fails(CkFunction function) {
    for (int i = 0; i < DeviceState.FAILURES; i++) {
      long now = System.nanoTime();
      state.returned(function, CKR_DEVICE_ERROR, now, now);
    }
    assertThat(state.down()).isPresent();
  }

  @Test
  void aDeviceThatIsDownHasToProveItself() {
    module.destroyObjectReturns(CKR_DEVICE_ERROR);
    LiveKeyPair pair = hsm.generate(KeySpec.EC_P256);
    for (int i = 0; i < DeviceState.FAILURES; i++) {
      hsm.destroy(pair.privateKey());
    }
    assertThat(state.down()).isPresent();

    assertThatExceptionOfType(HsmException.class).isThrownBy(() -> look(Duration.ZERO));
    assertThat(state.down()).isPresent();

    module.destroyObjectReturns(0);
    look(Duration.ZERO);
    assertThat(state.down()).isEmpty();
    assertThat(calls.functions()).contains(CkFunction.C_DESTROY_OBJECT);
  }

  @ParameterizedTest
  @EnumSource(
      value = CkFunction.class,
      names = {
        "C_GET_SESSION_INFO",
        "C_GET_TOKEN_INFO",
        "C_GET_ATTRIBUTE_VALUE",
        "C_GENERATE_KEY_PAIR",
        "C_WRAP_KEY",
        "C_SIGN_INIT",
        "C_SIGN",
        "C_DESTROY_OBJECT"
      })
  void whateverFailedIsTriedUntilItSucceeds(CkFunction function) {
    fails(function);

    look(Duration.ZERO);

    assertThat(calls.functions()).contains(function);
    assertThat(state.down()).isEmpty();
  }

  /** The keys of proofs are keys: they count, and they do not fill a device that keeps them. */
  @Test
  void theKeysOfProofsAreCountedAndTriedAgain() {
    module.destroyObjectReturns(CKR_DEVICE_ERROR);

    for (int keys : new int[] {1, 3}) {
      fails(CkFunction.C_WRAP_KEY);
      assertThatExceptionOfType(HsmException.class).isThrownBy(() -> look(Duration.ZERO));
      assertThat(watch.orphans()).as("private keys, and a public one before").isEqualTo(keys);
    }
    fails(CkFunction.C_WRAP_KEY);
    look(Duration.ZERO);
    assertThat(watch.orphans()).isEqualTo(4);
    assertThat(calls.functions())
        .as("no more proofs at the limit")
        .doesNotContain(CkFunction.C_GENERATE_KEY_PAIR);

    module.destroyObjectReturns(0);
    look(Duration.ZERO);
    assertThat(watch.orphans()).isZero();
    assertThat(hsm.countLiveKeys()).isZero();
    assertThat(state.down()).isEmpty();
  }

  /** Nobody but the watch asks an idle device, so nobody else would notice either. */
  @Test
  void anIdleDeviceThatHadNoTokenForAWhileIsUpAgain() {
    module.getTokenInfoReturns(CKR_DEVICE_ERROR);
    for (int i = 0; i < DeviceState.FAILURES; i++) {
      assertThatExceptionOfType(HsmException.class).isThrownBy(() -> look(Duration.ofSeconds(5)));
    }
    assertThat(state.down()).isPresent();

    module.getTokenInfoReturns(0);
    look(Duration.ZERO);

    assertThat(state.down()).isEmpty();
  }

  /** While it is down a proof is due every second: too often to make a key for each. */
  @Test
  void whereSigningFailedNoKeyIsGenerated() {
    fails(CkFunction.C_SIGN);

    look(Duration.ZERO);

    assertThat(state.down()).isEmpty();
    assertThat(calls.functions())
        .contains(CkFunction.C_UNWRAP_KEY, CkFunction.C_SIGN)
        .doesNotContain(CkFunction.C_GENERATE_KEY_PAIR);
  }

  /** A generator at work would else keep a device down for as long as the pool is not full. */
  @Test
  void aDeviceThatIsDownIsProvedWhileOthersUseIt() throws Exception {
    CountDownLatch generating = new CountDownLatch(1);
    CountDownLatch proved = new CountDownLatch(1);
    module.beforeGetAttributeValue(() -> {
      generating.countDown();
      awaitQuietly(proved);
    });
    TestThread<LiveKeyPair> generator = TestThread.start(() -> hsm.generate(KeySpec.EC_P256));
    assertThat(generating.await(20, TimeUnit.SECONDS)).isTrue();
    fails(CkFunction.C_SIGN);

    look(Duration.ZERO);
    proved.countDown();

    assertThat(state.down()).isEmpty();
    hsm.destroy(generator.result().privateKey());
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await(20, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aLoginThatIsGoneIsNoticedAndTheDeviceOpenedAnew() {
    try (Session other = Session.open(module.library().functions(), hsm.slotId())) {
      assertThat(module.logout(other.handle())).isZero();
    }
    long before = hsm.epoch();

    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(() -> look(Duration.ofSeconds(5)))
        .withMessageContaining("not logged in");
    assertThat(hsm.health().loggedIn()).isFalse();
    assertThat(hsm.health().state()).isEqualTo(HsmHealth.State.REOPENING);
    assertThat(hsm.failsToSign()).isTrue();

    look(Duration.ZERO);
    assertThat(hsm.health().state()).isEqualTo(HsmHealth.State.UP);
    assertThat(hsm.epoch()).isGreaterThan(before);
    assertThat(hsm.failsToSign()).isFalse();
  }
}
