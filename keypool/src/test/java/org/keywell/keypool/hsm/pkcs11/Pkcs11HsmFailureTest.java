package org.keywell.keypool.hsm.pkcs11;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.keywell.keypool.WatchedDevice;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;

/** Failures between the steps of a call leave nothing behind in the device. */
@Tag("softhsm")
final class Pkcs11HsmFailureTest {
  private static final long CKR_DEVICE_ERROR = 0x30;

  private final SoftHsmToken token = SoftHsmToken.create();
  private final InterposedModule module = new InterposedModule(token.config());
  private final Pkcs11Hsm hsm = open();

  private Pkcs11Hsm open() {
    return new Pkcs11Hsm(
        module.library(), token.config(), token::pin, CallLimits.DEFAULT, CallListener.NONE);
  }

  @AfterEach
  void close() {
    hsm.close();
  }

  @ParameterizedTest
  @EnumSource(
      value = KeySpec.class,
      names = {"RSA_2048", "EC_P256"})
  void aPairWhosePublicKeyCannotBeReadIsDestroyed(KeySpec spec) {
    module.getAttributeValueReturns(CKR_DEVICE_ERROR);

    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(() -> hsm.generateExtractable(spec))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.UNAVAILABLE));

    assertThat(hsm.countLiveKeys()).isZero();
    assertThat(publicKeys()).isZero();
  }

  @Test
  void aPairThatCannotBeDestroyedEitherIsCountedAndTriedAgain() {
    WatchedDevice watch = new WatchedDevice(hsm, 10);
    module.getAttributeValueReturns(CKR_DEVICE_ERROR);
    module.destroyObjectReturns(CKR_DEVICE_ERROR);
    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(() -> hsm.generateExtractable(KeySpec.EC_P256));

    watch.retry();
    assertThat(watch.orphans()).as("private and public key").isEqualTo(2);

    module.destroyObjectReturns(0);
    assertThat(watch.retry()).isEqualTo(2);
    assertThat(hsm.countLiveKeys()).isZero();
    assertThat(publicKeys()).isZero();
  }

  @Test
  void thePublicKeyObjectDoesNotStay() {
    LiveKeyPair pair = hsm.generate(KeySpec.EC_P256);

    assertThat(publicKeys()).isZero();
    assertThat(hsm.destroy(pair.privateKey())).isEqualTo(Destruction.DONE);
  }

  private long publicKeys() {
    return hsm.count(template -> template.with(Cka.CKA_CLASS, Ck.CKO_PUBLIC_KEY));
  }

  @Test
  void aFailedDestructionCarriesTheReturnValue() {
    LiveKeyPair pair = hsm.generate(KeySpec.EC_P256);
    module.destroyObjectReturns(CKR_DEVICE_ERROR);

    Destruction failed = hsm.destroy(pair.privateKey());
    module.destroyObjectReturns(0);

    assertThat(failed).isEqualTo(new Destruction(CKR_DEVICE_ERROR));
    assertThat(hsm.countLiveKeys()).isEqualTo(1);
    assertThat(hsm.destroy(pair.privateKey())).isEqualTo(Destruction.DONE);
  }
}
