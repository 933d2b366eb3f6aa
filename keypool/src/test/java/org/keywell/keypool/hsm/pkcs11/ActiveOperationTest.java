package org.keywell.keypool.hsm.pkcs11;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.testkit.Fault;
import org.keywell.testkit.FaultyModule;

/** Calls fail and leave their operation active in the session: nobody else may meet it. */
@Tag("softhsm")
@Timeout(60)
final class ActiveOperationTest {
  private static final long CKR_DEVICE_ERROR = 0x30;
  private static final byte[] DATA = new byte[32];
  private static final CipherCall GCM =
      new CipherCall(CipherCall.Mode.GCM, new byte[12], new byte[0], 16);

  private final FaultyModule module;
  private final SoftHsmToken token;
  private final Pkcs11Hsm hsm;
  private final Pkcs11Hsm managed;
  private final byte[] aes;
  private final byte[] encrypted;
  private final TokenAesKey kept;
  private final Ed25519Key log;
  private final KeyHandle key;
  private final WrappedKey pair;

  ActiveOperationTest(@TempDir Path directory) {
    module = FaultyModule.create(directory);
    token = SoftHsmToken.create(module.path());
    hsm = token.open();
    managed = Pkcs11Hsm.open(token.addManagedWrappingKey("managed"), token::pin);
    aes = managed.managedKeys().generateAes(256);
    encrypted = managed.managedKeys().encrypt(aes, GCM, DATA);
    kept = hsm.tokenAesKeys().generate("kept");
    assertThat(hsm.ed25519Keys().ensure("log")).isTrue();
    log = hsm.ed25519Keys().find("log").orElseThrow();
    pair = wrapNew();
    key = hsm.unwrap(pair);
  }

  @AfterEach
  void close() {
    module.close();
    managed.close();
    hsm.close();
  }

  private WrappedKey wrapNew() {
    LiveKeyPair made = hsm.generateExtractable(KeySpec.EC_P256);
    WrappedKey wrapped = hsm.wrap(made);
    assertThat(hsm.destroy(made.privateKey())).isEqualTo(Destruction.DONE);
    return wrapped;
  }

  private byte[] sign() {
    return hsm.sign(key, SignatureScheme.ECDSA, DigestAlgorithm.SHA_256, DATA);
  }

  /** Each use of a session that begins an operation and ends it. */
  enum Use {
    SIGN("C_SignInit", "C_Sign"),
    SIGN_LOG("C_SignInit", "C_Sign"),
    MAC("C_SignInit", "C_Sign"),
    ENCRYPT("C_EncryptInit", "C_Encrypt"),
    DECRYPT("C_DecryptInit", "C_Decrypt"),
    ENCRYPT_IN_TOKEN("C_EncryptInit", "C_Encrypt"),
    SEARCH("C_FindObjectsInit", "C_FindObjectsFinal");

    private final String begins;
    private final String ends;

    Use(String begins, String ends) {
      this.begins = begins;
      this.ends = ends;
    }
  }

  private void use(Use use) {
    Object _ =
        switch (use) {
          case SIGN -> sign();
          case SIGN_LOG -> log.sign(DATA);
          case MAC -> managed.managedKeys().mac(aes, DigestAlgorithm.SHA_256, DATA);
          case ENCRYPT -> managed.managedKeys().encrypt(aes, GCM, DATA);
          case DECRYPT -> managed.managedKeys().decrypt(aes, GCM, encrypted);
          case ENCRYPT_IN_TOKEN -> hsm.tokenAesKeys().encrypt(kept, GCM, DATA);
          case SEARCH -> hsm.countLiveKeys();
        };
  }

  private Optional<HsmException> failure(Use use) {
    try {
      use(use);
      return Optional.empty();
    } catch (HsmException e) {
      return Optional.of(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aSessionWhoseOperationMayBeActiveIsReplaced(Use use) {
    int sessions = token.config().maxSessions();
    long open = module.calls("C_OpenSession") - module.calls("C_CloseSession");
    long epoch = hsm.epoch();
    module.inject(use.ends, Fault.returning(CKR_DEVICE_ERROR).keepingTheOperation());
    for (int i = 0; i < sessions; i++) {
      Optional<HsmException> failed = failure(use);
      assertThat(failed.map(HsmException::returnValue))
          .isEqualTo(use == Use.SEARCH ? Optional.empty() : Optional.of(CKR_DEVICE_ERROR));
    }
    module.clear(use.ends);
    long begun = module.calls(use.begins);

    for (int i = 0; i < 2 * sessions; i++) {
      use(use);
      assertThat(sign()).isNotEmpty();
    }

    // A MAC is computed twice, and sign() begins one more.
    long each = !use.begins.equals("C_SignInit") ? 1 : use == Use.MAC ? 3 : 2;
    assertThat(module.calls(use.begins) - begun)
        .as("each began at the first attempt")
        .isEqualTo(each * 2 * sessions);
    assertThat(hsm.epoch()).isEqualTo(epoch);
    assertThat(module.calls("C_OpenSession") - module.calls("C_CloseSession")).isEqualTo(open);
  }

  /** The operation was left by something that only the module knows of. */
  @ParameterizedTest
  @EnumSource
  void whatASessionRefusesIsDoneInAnother(Use use) {
    module.inject(use.begins, Fault.returning(ReturnValue.CKR_OPERATION_ACTIVE.code()).times(1));
    long closed = module.calls("C_CloseSession");

    use(use);

    assertThat(module.faults(use.begins)).isEqualTo(1);
    assertThat(module.calls("C_CloseSession")).isEqualTo(closed + 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"C_GenerateKeyPair", "C_WrapKey"})
  void soIsAPair(String function) {
    module.inject(function, Fault.returning(ReturnValue.CKR_OPERATION_ACTIVE.code()).times(1));

    if (function.equals("C_WrapKey")) {
      byte[] _ = managed.managedKeys().store(DATA);
    } else {
      assertThat(wrapNew().publicKey()).isNotEmpty();
    }

    assertThat(module.faults(function)).isEqualTo(1);
  }

  /** Closing it would destroy the keys that it made, so the device is reopened as a whole. */
  @Test
  void aSessionThatOwnsKeysIsLostWithThem() {
    module.inject("C_UnwrapKey", Fault.returning(ReturnValue.CKR_OPERATION_ACTIVE.code()).times(1));

    assertThatExceptionOfType(HsmException.class).isThrownBy(() -> hsm.unwrap(pair));

    assertThat(hsm.health().loggedIn()).isFalse();
    managed.lose(managed.epoch(), "a test says so");
    hsm.reopen();
    assertThat(hsm.destroy(hsm.unwrap(pair))).isEqualTo(Destruction.DONE);
  }

  /** Otherwise clients could have sessions closed, which is slow alongside many keys. */
  @Test
  void dataThatIsRefusedCostsNoSession() {
    byte[] changed = encrypted.clone();
    changed[0] ^= 1;
    long closed = module.calls("C_CloseSession");
    for (int i = 0; i < 2 * token.config().maxSessions(); i++) {
      assertThatExceptionOfType(HsmException.class)
          .isThrownBy(() -> managed.managedKeys().decrypt(aes, GCM, changed))
          .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.DATA_INVALID));
    }
    assertThat(module.calls("C_CloseSession")).isEqualTo(closed);
  }
}
