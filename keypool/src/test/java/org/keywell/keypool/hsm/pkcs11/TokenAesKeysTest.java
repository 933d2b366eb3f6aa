package org.keywell.keypool.hsm.pkcs11;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.lang.foreign.Arena;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;

@Tag("softhsm")
final class TokenAesKeysTest {
  private static final byte[] TEXT = "a data key of some volume".getBytes(UTF_8);
  private static final CipherCall CALL = call("aad");

  private final SoftHsmToken token = SoftHsmToken.create();
  private final Pkcs11Hsm hsm = token.open(token.config());
  private final Pkcs11Hsm other = token.open(token.config());
  private final TokenAesKeys keys = hsm.tokenAesKeys();
  private final TokenAesKeys others = other.tokenAesKeys();

  private static CipherCall call(String aad) {
    return new CipherCall(CipherCall.Mode.GCM, new byte[12], aad.getBytes(UTF_8), 16);
  }

  private static void assertFails(Reason reason, ThrowingCallable call) {
    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.reason()).as(e.getMessage()).isEqualTo(reason));
  }

  @AfterEach
  void close() {
    other.close();
    hsm.close();
  }

  @Test
  void aKeyEncryptsAndDecryptsInEveryOpening() {
    TokenAesKey key = keys.generate("volumes");

    byte[] encrypted = keys.encrypt(key, CALL, TEXT);

    assertThat(encrypted).hasSize(TEXT.length + 16);
    assertThat(others.keeps(key)).isTrue();
    assertThat(others.decrypt(key, CALL, encrypted)).isEqualTo(TEXT);
    hsm.reopen();
    assertThat(keys.decrypt(key, CALL, encrypted)).isEqualTo(TEXT);
  }

  @Test
  void whatIsNotWhatWasEncryptedIsRefused() {
    TokenAesKey key = keys.generate("volumes");
    byte[] encrypted = keys.encrypt(key, CALL, TEXT);
    byte[] changed = encrypted.clone();
    changed[0] ^= 1;

    assertFails(Reason.DATA_INVALID, () -> keys.decrypt(key, CALL, changed));
    assertFails(Reason.DATA_INVALID, () -> keys.decrypt(key, call("other"), encrypted));
    assertFails(Reason.DATA_INVALID, () -> keys.decrypt(keys.generate("volumes"), CALL, encrypted));
    assertThat(hsm.failsToSign()).isFalse();
    assertThat(keys.decrypt(key, CALL, encrypted)).isEqualTo(TEXT);
  }

  /** By another instance of the service, or by hand. */
  @Test
  void aKeyIsGoneWhereverItWasDestroyed() {
    TokenAesKey key = keys.generate("volumes");
    byte[] encrypted = keys.encrypt(key, CALL, TEXT);

    assertThat(others.destroy(key.id())).isTrue();

    assertFails(Reason.KEY_GONE, () -> keys.decrypt(key, CALL, encrypted));
    assertFails(Reason.KEY_GONE, () -> others.encrypt(key, CALL, TEXT));
    assertThat(keys.keeps(key)).isFalse();
    assertThat(keys.destroy(key.id())).isFalse();
  }

  @Test
  void aKeyStaysInTheToken() {
    TokenAesKey key = keys.generate("volumes");
    long handle = handle(key.id());

    for (Cka yes : new Cka[] {Cka.CKA_TOKEN, Cka.CKA_PRIVATE, Cka.CKA_SENSITIVE}) {
      assertThat(flag(handle, yes)).as(yes.name()).isTrue();
    }
    for (Cka no :
        new Cka[] {Cka.CKA_EXTRACTABLE, Cka.CKA_WRAP, Cka.CKA_DERIVE, Cka.CKA_MODIFIABLE}) {
      assertThat(flag(handle, no)).as(no.name()).isFalse();
    }
    Optional<byte[]> value = hsm.inspect(handle, object -> object.read(Cka.CKA_VALUE));
    assertThat(value).isEmpty();
  }

  private boolean flag(long handle, Cka name) {
    Optional<Boolean> value = hsm.inspect(handle, key -> key.readBoolean(name));
    return value.orElseThrow();
  }

  private long handle(byte[] id) {
    long[] found = new long[1];
    return hsm.opening()
        .inSession(session -> {
          try (Arena arena = Arena.ofConfined()) {
            ObjectSearch.forEach(
                session,
                Template.in(arena).with(Cka.CKA_ID, id).build(),
                handle -> found[0] = handle);
          }
          return found[0];
        });
  }

  /** A key that somebody has put into the token with the id of ours. */
  @Test
  void aKeyThatIsNotTheOnlyOneIsNotUsed() {
    TokenAesKey key = keys.generate("volumes");
    boolean _ =
        hsm.opening()
            .inReadWriteSession(session -> {
              try (Arena arena = Arena.ofConfined()) {
                ReturnValue.check(
                    "C_CreateObject",
                    session
                        .functions()
                        .createObject(
                            session.handle(),
                            Template.in(arena)
                                .with(Cka.CKA_CLASS, Ck.CKO_SECRET_KEY)
                                .with(Cka.CKA_KEY_TYPE, Ck.CKK_AES)
                                .yes(Cka.CKA_TOKEN, Cka.CKA_ENCRYPT)
                                .with(Cka.CKA_ID, key.id())
                                .with(Cka.CKA_VALUE, new byte[32])
                                .build(),
                            session.newObject()));
              }
              return true;
            });

    assertFails(Reason.FAILED, () -> keys.encrypt(key, CALL, TEXT));
  }

  @Test
  void aProofLeavesNothing() {
    assertThatNoException().isThrownBy(keys::prove);
    assertThat(
            hsm.count(
                template -> template.with(Cka.CKA_CLASS, Ck.CKO_SECRET_KEY).no(Cka.CKA_TOKEN)))
        .isZero();
  }
}
