package org.keywell.keypool.hsm.pkcs11;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.keypool.hsm.WrappedKey;

/** Every call to the device is told, with what it returned. */
@Tag("softhsm")
final class CallListenerTest {
  private static final long CKR_DEVICE_ERROR = 0x30;

  private final SoftHsmToken token = SoftHsmToken.create();
  private final InterposedModule module = new InterposedModule(token.config());
  private final RecordedCalls calls = new RecordedCalls();
  private final Pkcs11Hsm hsm = open();

  private Pkcs11Hsm open() {
    return new Pkcs11Hsm(module.library(), token.config(), token::pin, CallLimits.DEFAULT, calls);
  }

  @AfterEach
  void close() {
    hsm.close();
  }

  @Test
  void aKeysLifeIsToldCallByCall() {
    assertThat(calls.functions())
        .as("the start-up proof is told as well")
        .contains(CkFunction.C_LOGIN, CkFunction.C_OPEN_SESSION, CkFunction.C_SIGN);
    calls.clear();

    LiveKeyPair pair = hsm.generateExtractable(KeySpec.EC_P256);
    WrappedKey wrapped = hsm.wrap(pair);
    hsm.destroy(pair.privateKey());
    KeyHandle key = hsm.unwrap(wrapped);
    byte[] signature = hsm.sign(key, SignatureScheme.ECDSA, DigestAlgorithm.SHA_256, new byte[32]);
    hsm.destroy(key);

    assertThat(signature).isNotEmpty();
    assertThat(calls.functions())
        .containsExactly(
            CkFunction.C_GENERATE_KEY_PAIR,
            CkFunction.C_GET_ATTRIBUTE_VALUE,
            CkFunction.C_DESTROY_OBJECT,
            CkFunction.C_WRAP_KEY,
            CkFunction.C_DESTROY_OBJECT,
            CkFunction.C_UNWRAP_KEY,
            CkFunction.C_SIGN_INIT,
            CkFunction.C_SIGN,
            CkFunction.C_DESTROY_OBJECT);
    assertThat(calls.calls()).allMatch(call -> call.returnValue() == 0 && call.nanos() > 0);
    assertThat(hsm.health().callsInProgress()).isZero();
    assertThat(hsm.health().oldestCall()).isEqualTo(Duration.ZERO);
  }

  @Test
  void aFailureIsToldWithItsReturnValue() {
    LiveKeyPair pair = hsm.generate(KeySpec.EC_P256);
    module.destroyObjectReturns(CKR_DEVICE_ERROR);
    calls.clear();

    hsm.destroy(pair.privateKey());

    assertThat(calls.calls())
        .singleElement()
        .satisfies(call -> {
          assertThat(call.function()).isEqualTo(CkFunction.C_DESTROY_OBJECT);
          assertThat(call.returnValue()).isEqualTo(CKR_DEVICE_ERROR);
        });
    module.destroyObjectReturns(0);
    hsm.destroy(pair.privateKey());
  }

  @Test
  void aProbeAsksTheSessionsOfKeysOneOtherAndTheTokenAndLeavesTheRestAlone() {
    calls.clear();

    hsm.probe();

    List<CkFunction> looks =
        new ArrayList<>(
            Collections.nCopies(Pkcs11Config.UNWRAP_SESSIONS + 1, CkFunction.C_GET_SESSION_INFO));
    looks.add(CkFunction.C_GET_TOKEN_INFO);
    assertThat(calls.functions()).containsExactlyElementsOf(looks);
  }

  @Test
  void listenersAreToldInTurn() {
    AtomicLong told = new AtomicLong();
    CallListener first = (function, returnValue, began, ended) -> told.set(1);
    CallListener second =
        (function, returnValue, began, ended) -> told.set(told.get() * 10 + returnValue);

    first.andThen(second).returned(CkFunction.C_SIGN, 7, 0, 1);

    assertThat(told).hasValue(17);
  }
}
