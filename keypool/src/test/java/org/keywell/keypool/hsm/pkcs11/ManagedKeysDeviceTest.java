package org.keywell.keypool.hsm.pkcs11;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.keywell.keypool.hsm.pkcs11.ManagedKeysContract.assertFails;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
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
import org.keywell.keypool.log.LogPace;

/** The pool's keys and managed keys in one token, opened twice, each with its wrapping key. */
@Tag("softhsm")
final class ManagedKeysDeviceTest {
  private final SoftHsmToken token = SoftHsmToken.create();
  private final Pkcs11Config managedConfig = token.addManagedWrappingKey("managed");
  private final InterposedModule module = new InterposedModule(token.config());
  private final Pkcs11Hsm pool = open(token.config());
  private final Pkcs11Hsm managed = open(managedConfig);
  private final ManagedKeys keys = managed.managedKeys();

  private Pkcs11Hsm open(Pkcs11Config config) {
    return new Pkcs11Hsm(
        module.library(), config, token::pin, CallLimits.DEFAULT, CallListener.NONE);
  }

  @AfterEach
  void nothingStays() {
    module.destroyObjectReturns(0);
    try {
      assertThat(ManagedKeysContract.liveSecrets(managed)).isZero();
      assertThat(managed.countLiveKeys()).isZero();
    } finally {
      managed.close();
      pool.close();
    }
  }

  @Test
  void thePoolsWrappingKeyIsRefused() {
    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(pool::managedKeys)
        .withMessageContaining(pool.wrappingKeyId())
        .withMessageContaining("CKA_UNWRAP_TEMPLATE")
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.NOT_BOOTSTRAPPED));
    try (Pin pin = token.pin()) {
      assertFails(
          Reason.NOT_BOOTSTRAPPED,
          () -> TokenBootstrap.ensureManagedWrappingKey(token.config(), pin));
    }
  }

  @Test
  void theWrappingKeyForManagedKeysIsMadeOnceAndPinnedAsThePools() {
    try (Pin pin = token.pin()) {
      TokenBootstrap.Result again = TokenBootstrap.ensureManagedWrappingKey(managedConfig, pin);
      assertThat(again.created()).isFalse();
      assertThat(again.description()).contains(managed.wrappingKeyId());
    }
    assertThat(managed.wrappingKey().bindsUnwraps()).isFalse();
    assertThat(KeyAttributes.ofWrappingKey(managed)).isEqualTo(KeyAttributes.ofWrappingKey(pool));
  }

  @Test
  void aKeyOfTheOtherPurposeIsRefused() {
    WrappedKey pools = pair(pool);
    WrappedKey own = pair(managed);

    assertFails(Reason.WRAPPED_KEY_INVALID, () -> sign(pools));
    assertFails(Reason.WRAPPED_KEY_INVALID, () -> keys.reveal(pools.wrappedPrivateKey()));
    assertFails(Reason.WRAPPED_KEY_INVALID, () -> pool.unwrap(own));
    assertThat(sign(own)).isNotEmpty();
  }

  /** The account of the pool's keys finds no stranger while a client's key signs. */
  @Test
  void aManagedPrivateKeyIsNotCountedAmongThePools() {
    WrappedKey own = pair(managed);
    Opening opening = managed.opening();
    Brand brand = module.library().brand();
    Mechanisms mechanisms = new Mechanisms(brand);
    long meanwhile =
        opening.inSession(session -> {
          try (ManagedSession used =
              new ManagedSession(
                  session,
                  brand,
                  mechanisms,
                  opening.wrappingKey(),
                  SecretUse.allUnwrapped(),
                  new ResultProofs(managed.state()),
                  module.library().managedPrivateKeys(managed.slotId()),
                  new LogPace(System::nanoTime))) {
            KeyHandle key =
                new KeyWrapping(mechanisms, brand, opening.wrappingKey(), opening.epoch())
                    .unwrap(session, own, opening.templates(own.spec()).unwrappedKey());
            used.ownPrivateKey(key.value());
            return pool.countLiveKeys();
          }
        });
    assertThat(meanwhile).isZero();
    assertThat(pool.countLiveKeys()).isZero();
    LiveKeyPair live = pool.generate(KeySpec.EC_P256);
    assertThat(managed.countLiveKeys()).as("the pool's are").isEqualTo(1);
    assertThat(pool.destroy(live.privateKey())).isEqualTo(Destruction.DONE);
  }

  @Test
  void oneIsReopenedWhileTheOtherWorks() {
    byte[] blob = keys.generateAes(256);
    WrappedKey pools = pair(pool);

    pool.reopen();
    assertThat(keys.reveal(blob)).hasSize(32);
    managed.reopen();
    assertThat(keys.reveal(blob)).as("by the same object, after its reopening").hasSize(32);
    assertThat(pool.destroy(pool.unwrap(pools))).isEqualTo(Destruction.DONE);
    assertThat(module.finalized()).as("the other one was open").isZero();
  }

  /** As when the device was away: its watch reopens each that is lost. */
  @Test
  void bothAreLostTogetherAndWorkAgainOnceBothAreReopened() {
    byte[] blob = keys.generateAes(256);
    WrappedKey pools = pair(pool);
    assertThat(module.closeAllSessions(pool.slotId())).isZero();
    assertFails(Reason.SESSION_LOST, () -> pool.generate(KeySpec.EC_P256));

    pool.reopen();
    assertThat(managed.health().state())
        .as("told by the one that logged in again")
        .isEqualTo(HsmHealth.State.REOPENING);
    assertFails(Reason.SESSION_LOST, () -> keys.reveal(blob));
    managed.reopen();

    assertThat(keys.reveal(blob)).hasSize(32);
    assertThat(pool.destroy(pool.unwrap(pools))).isEqualTo(Destruction.DONE);
  }

  @Test
  void aSessionThatIsGoneIsReplaced() {
    byte[] blob = keys.generateAes(256);
    long epoch = managed.epoch();
    List<Long> working = List.copyOf(module.opened());
    working
        .subList(working.size() - managedConfig.maxSessions(), working.size())
        .forEach(session -> assertThat(module.closeSession(session)).isZero());

    for (int i = 0; i < managedConfig.maxSessions(); i++) {
      assertThat(keys.reveal(blob)).hasSize(32);
    }
    assertThat(managed.epoch()).isEqualTo(epoch);
  }

  /** The result stands; the object ends with its session, which another one replaces. */
  @Test
  void whatTheTokenDoesNotDestroyEndsWithItsSession() {
    byte[] blob = keys.generateAes(256);
    int sessions = module.opened().size();

    module.destroyObjectReturns(ReturnValue.CKR_DEVICE_ERROR.code());
    assertThat(keys.reveal(blob)).hasSize(32);

    assertThat(ManagedKeysContract.liveSecrets(managed)).isZero();
    module.destroyObjectReturns(0);
    for (int i = 0; i < managedConfig.maxSessions(); i++) {
      assertThat(keys.reveal(blob)).hasSize(32);
    }
    assertThat(module.opened()).hasSize(sessions + 1);
  }

  private byte[] sign(WrappedKey pair) {
    return keys.sign(pair, SignatureScheme.ECDSA, DigestAlgorithm.SHA_256, new byte[32]);
  }

  private static WrappedKey pair(Pkcs11Hsm hsm) {
    LiveKeyPair pair = hsm.generateExtractable(KeySpec.EC_P256);
    WrappedKey wrapped = hsm.wrap(pair);
    assertThat(hsm.destroy(pair.privateKey())).isEqualTo(Destruction.DONE);
    return wrapped;
  }
}
