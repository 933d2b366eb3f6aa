package org.keywell.keypool.hsm.pkcs11;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.keypool.TestThread;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.HsmHealth;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.keypool.hsm.WrappedKey;

/** A real module that loses sessions, login and objects, and is finalised and initialised again. */
@Tag("softhsm")
final class ReopeningTest {
  private final SoftHsmToken token = SoftHsmToken.create();
  private final InterposedModule module = new InterposedModule(token.config());
  private final AtomicInteger wrongPins = new AtomicInteger();
  private final Pkcs11Hsm hsm = open();

  private Pkcs11Hsm open() {
    return new Pkcs11Hsm(
        module.library(), token.config(), this::pin, CallLimits.DEFAULT, CallListener.NONE);
  }

  private Pin pin() {
    return wrongPins.getAndDecrement() > 0 ? Pin.of("wrong-pin".toCharArray()) : token.pin();
  }

  @AfterEach
  void close() {
    hsm.close();
  }

  private WrappedKey wrapped() {
    LiveKeyPair pair = hsm.generateExtractable(KeySpec.EC_P256);
    WrappedKey wrapped = hsm.wrap(pair);
    assertThat(hsm.destroy(pair.privateKey())).isEqualTo(Destruction.DONE);
    return wrapped;
  }

  private byte[] sign(KeyHandle key) {
    return hsm.sign(key, SignatureScheme.ECDSA, DigestAlgorithm.SHA_256, new byte[32]);
  }

  private static void assertFails(Reason reason, Runnable call) {
    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(call::run)
        .satisfies(e -> assertThat(e.reason()).as(e.getMessage()).isEqualTo(reason));
  }

  private List<Long> ownerSessions() {
    return module.opened().subList(0, token.config().unwrapSessions());
  }

  private List<Long> workerSessions() {
    return module
        .opened()
        .subList(ownerSessions().size(), ownerSessions().size() + token.config().maxSessions());
  }

  /** The numbers start again: what names an old key by its number alone names a new one. */
  @Test
  void aStaleHandleDoesNotNameTheNewKeyThatHasItsNumber() {
    WrappedKey wrapped = wrapped();
    // Whatever the module was used for before: from here on it numbers as it will once more.
    hsm.reopen();
    List<KeyHandle> old = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      old.add(hsm.unwrap(wrapped));
    }

    hsm.reopen();
    assertThat(module.finalized()).isEqualTo(2);
    List<KeyHandle> young = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      young.add(hsm.unwrap(wrapped));
    }

    List<Long> numbers = young.stream().map(KeyHandle::value).toList();
    List<KeyHandle> mistakable = old.stream().filter(key -> numbers.contains(key.value())).toList();
    assertThat(mistakable).as("old handles whose number a new key has").isNotEmpty();
    for (KeyHandle key : mistakable) {
      assertFails(Reason.KEY_GONE, () -> sign(key));
      assertThat(hsm.destroy(key)).isEqualTo(Destruction.EPOCH_ENDED);
    }
    for (KeyHandle key : young) {
      assertThat(sign(key)).isNotEmpty();
      assertThat(hsm.destroy(key)).isEqualTo(Destruction.DONE);
    }
    assertThat(hsm.countLiveKeys()).isZero();
  }

  @Test
  void aDeviceThatWasGoneWithItsSessionsWorksAgainAfterOneLogin() {
    WrappedKey wrapped = wrapped();
    KeyHandle key = hsm.unwrap(wrapped);
    assertThat(module.closeAllSessions(hsm.slotId())).isZero();

    assertFails(Reason.SESSION_LOST, () -> sign(key));
    assertThat(hsm.failsToSign()).isTrue();
    assertThat(hsm.health().state()).isEqualTo(HsmHealth.State.REOPENING);
    assertThat(hsm.destroy(key)).isEqualTo(Destruction.EPOCH_ENDED);
    int logins = module.logins();

    hsm.reopen();

    assertThat(module.logins()).isEqualTo(logins + 1);
    assertThat(hsm.health().state()).isEqualTo(HsmHealth.State.UP);
    KeyHandle again = hsm.unwrap(wrapped);
    assertThat(sign(again)).isNotEmpty();
    assertThat(hsm.destroy(again)).isEqualTo(Destruction.DONE);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, Pkcs11Config.UNWRAP_SESSIONS - 1})
  void withASessionThatOwnsKeysAllIsLost(int owner) {
    WrappedKey wrapped = wrapped();
    AtomicInteger told = new AtomicInteger();
    hsm.onLoss(told::incrementAndGet);
    assertThat(module.closeSession(ownerSessions().get(owner))).isZero();

    assertFails(Reason.SESSION_LOST, hsm::probe);

    assertThat(told).hasValue(1);
    assertThat(hsm.failsToSign()).isTrue();
    hsm.reopen();
    assertThat(hsm.destroy(hsm.unwrap(wrapped))).isEqualTo(Destruction.DONE);
  }

  /** Who unwraps does so in the session that has been idle for the longest time. */
  @Test
  void theLossOfASessionThatOwnsKeysIsSeenBeforeAllHaveUnwrapped() {
    WrappedKey wrapped = wrapped();
    assertThat(module.closeSession(ownerSessions().getFirst())).isZero();

    assertFails(
        Reason.SESSION_LOST,
        () -> {
          for (int i = 0; i < ownerSessions().size(); i++) {
            assertThat(hsm.destroy(hsm.unwrap(wrapped))).isEqualTo(Destruction.DONE);
          }
        });
  }

  /** Each call that draws a session that is gone goes on in another one: no key is spent for it. */
  @Test
  void workingSessionsThatAreGoneAreReplacedAndCostNothing() {
    WrappedKey wrapped = wrapped();
    List<KeyHandle> keys = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      keys.add(hsm.unwrap(wrapped));
    }
    long epoch = hsm.epoch();
    for (long session : List.copyOf(workerSessions())) {
      if (session != workerSessions().getLast()) {
        assertThat(module.closeSession(session)).isZero();
      }
    }

    for (KeyHandle key : keys) {
      assertThat(sign(key)).isNotEmpty();
      assertThat(hsm.destroy(key)).isEqualTo(Destruction.DONE);
    }

    assertThat(hsm.epoch()).isEqualTo(epoch);
    assertThat(hsm.health().loggedIn()).isTrue();
    assertThat(module.opened())
        .as("sessions: four that own, four that work, three in place of those")
        .hasSize(4 + 4 + 3);
  }

  @Test
  void aPinThatIsRefusedIsNotTriedAgain() {
    // The login of the process would let any PIN pass.
    assertThat(module.closeAllSessions(hsm.slotId())).isZero();
    wrongPins.set(1);
    int logins = module.logins();

    for (int i = 0; i < 3; i++) {
      assertFails(Reason.LOGIN_REFUSED, hsm::reopen);
    }

    assertThat(module.logins()).isEqualTo(logins + 1);
    assertThat(hsm.health().state()).isEqualTo(HsmHealth.State.DOWN);
    assertThat(hsm.health().down())
        .hasValueSatisfying(down -> {
          assertThat(down.inARow()).as("attempts").isEqualTo(1);
          assertThat(down.message()).contains("correct it, then start the service again");
        });
    assertThat(hsm.failsToSign()).isTrue();
  }

  @Test
  void aModuleThatAnotherDeviceIsOpenOnIsNotFinalized() {
    SoftHsmToken otherToken = SoftHsmToken.create();
    try (Pkcs11Hsm other =
        new Pkcs11Hsm(
            module.library(),
            otherToken.config(),
            otherToken::pin,
            CallLimits.DEFAULT,
            CallListener.NONE)) {
      LiveKeyPair others = other.generate(KeySpec.EC_P256);
      KeyHandle mine = hsm.unwrap(wrapped());

      hsm.reopen();

      assertThat(module.finalized()).isZero();
      assertThat(hsm.countLiveKeys()).as("its sessions were closed").isZero();
      assertThat(hsm.destroy(mine)).isEqualTo(Destruction.EPOCH_ENDED);
      assertThat(other.destroy(others.privateKey())).isEqualTo(Destruction.DONE);
      wrapped();
    }
    hsm.reopen();
    assertThat(module.finalized()).as("the other one is closed").isEqualTo(1);
  }

  /** Both lost the module; the first to be reopened finalises it, and both are to work then. */
  @Test
  void devicesOfOneModuleThatAreLostTogetherAreReopenedOneAfterTheOther() {
    SoftHsmToken otherToken = SoftHsmToken.create();
    try (Pkcs11Hsm other =
        new Pkcs11Hsm(
            module.library(),
            otherToken.config(),
            otherToken::pin,
            CallLimits.DEFAULT,
            CallListener.NONE)) {
      assertThat(module.closeAllSessions(hsm.slotId())).isZero();
      assertThat(module.closeAllSessions(other.slotId())).isZero();
      assertFails(Reason.SESSION_LOST, () -> hsm.generate(KeySpec.EC_P256));
      assertFails(Reason.SESSION_LOST, () -> other.generate(KeySpec.EC_P256));

      hsm.reopen();
      LiveKeyPair pair = hsm.generate(KeySpec.EC_P256);
      other.reopen();

      assertThat(hsm.health().state()).isEqualTo(HsmHealth.State.UP);
      assertThat(other.health().state()).isEqualTo(HsmHealth.State.UP);
      assertThat(sign(pair.privateKey())).isNotEmpty();
      assertThat(hsm.destroy(pair.privateKey())).isEqualTo(Destruction.DONE);
      assertThat(other.destroy(other.generate(KeySpec.EC_P256).privateKey()))
          .isEqualTo(Destruction.DONE);
    }
  }

  /** What PKCS#11 leaves open is not tried: the module is not taken away from under a call. */
  @Test
  void aCallInProgressIsWaitedFor() throws Exception {
    CountDownLatch generating = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    module.beforeGetAttributeValue(() -> {
      generating.countDown();
      awaitQuietly(released);
    });
    TestThread<LiveKeyPair> generator = TestThread.start(() -> hsm.generate(KeySpec.EC_P256));
    assertThat(generating.await(20, TimeUnit.SECONDS)).isTrue();
    TestThread<Boolean> reopening =
        TestThread.start(() -> {
          hsm.reopen();
          return true;
        });

    while (!hsm.failsToSign()) {
      Thread.onSpinWait();
    }
    assertThat(module.finalized()).isZero();
    module.beforeGetAttributeValue(() -> {});
    released.countDown();

    assertThat(reopening.result()).isTrue();
    assertThat(module.finalized()).isEqualTo(1);
    assertThat(hsm.destroy(generator.result().privateKey())).isEqualTo(Destruction.EPOCH_ENDED);
  }

  @Test
  void otherUsersOfTheModuleAreWaitedForAndTold() throws Exception {
    List<String> told = new ArrayList<>();
    hsm.add(
        new ModuleUser() {
          @Override
          public void retire() {
            told.add("retire, finalized " + module.finalized());
          }

          @Override
          public void renew(long slotId) {
            told.add("renew, finalized " + module.finalized());
          }
        });
    CountDownLatch calling = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    TestThread<Optional<String>> call =
        TestThread.start(() ->
            hsm.foreignCall(
                Duration.ZERO,
                () -> {
                  calling.countDown();
                  awaitQuietly(released);
                  return "certified";
                }));
    assertThat(calling.await(20, TimeUnit.SECONDS)).isTrue();
    TestThread<Boolean> reopening =
        TestThread.start(() -> {
          hsm.reopen();
          return true;
        });
    while (!hsm.failsToSign()) {
      Thread.onSpinWait();
    }
    assertThat(module.finalized()).isZero();
    released.countDown();

    assertThat(call.result()).contains("certified");
    assertThat(reopening.result()).isTrue();
    assertThat(told).containsExactly("retire, finalized 0", "renew, finalized 1");
  }

  @Test
  void aForeignCallThatHangsIsSeen() throws Exception {
    CallLimits strictly = new CallLimits(Duration.ofMillis(50), Duration.ofMinutes(1));
    CountDownLatch released = new CountDownLatch(1);
    try (Pkcs11Hsm strict =
        new Pkcs11Hsm(module.library(), token.config(), token::pin, strictly, CallListener.NONE)) {
      TestThread<Optional<String>> call =
          TestThread.start(() ->
              strict.foreignCall(
                  Duration.ZERO,
                  () -> {
                    awaitQuietly(released);
                    return "late";
                  }));
      while (!strict.health().hung()) {
        Thread.onSpinWait();
      }
      assertThat(strict.failsToSign()).isTrue();
      assertThat(strict.health().state()).isEqualTo(HsmHealth.State.DOWN);

      released.countDown();
      assertThat(call.result()).contains("late");
      assertThat(strict.health().hung()).isFalse();
      assertThat(strict.failsToSign()).isFalse();
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await(20, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
