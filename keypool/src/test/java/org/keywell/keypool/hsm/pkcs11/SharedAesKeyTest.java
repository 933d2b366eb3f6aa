package org.keywell.keypool.hsm.pkcs11;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.testkit.Fault;
import org.keywell.testkit.FaultyModule;

@Tag("softhsm")
final class SharedAesKeyTest {
  private static final byte[] TEXT = "a data key of some volume".getBytes(UTF_8);
  private static final CipherCall CALL =
      new CipherCall(CipherCall.Mode.GCM, new byte[12], new byte[0], 16);
  private static final long CKR_DEVICE_ERROR = 0x30;

  private final FaultyModule module;
  private final Pkcs11Hsm east;
  private final Pkcs11Hsm west;
  private final TokenAesKeys inEast;
  private final TokenAesKeys inWest;

  SharedAesKeyTest(@TempDir Path directory) {
    module = FaultyModule.create(directory);
    east = SoftHsmToken.create().open();
    west = SoftHsmToken.create(module.path()).open();
    inEast = east.tokenAesKeys();
    inWest = west.tokenAesKeys();
  }

  @AfterEach
  void close() {
    west.close();
    east.close();
    module.close();
  }

  private static void assertIsAnother(ThrowingCallable call) {
    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(call)
        .withMessageContaining("another key under the id of 'volumes'")
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.FAILED));
  }

  private static long handle(Pkcs11Hsm hsm, byte[] id) {
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

  private static Optional<Boolean> flag(Pkcs11Hsm hsm, long handle, Cka name) {
    return hsm.inspect(handle, key -> key.readBoolean(name));
  }

  @Test
  void allTokensHaveTheSameKeyAndNoneGivesItAway() {
    TokenAesKey key = SharedAesKey.generate(List.of(inEast, inWest), "volumes");

    assertThat(inWest.decrypt(key, CALL, inEast.encrypt(key, CALL, TEXT))).isEqualTo(TEXT);
    for (Pkcs11Hsm hsm : List.of(east, west)) {
      long handle = handle(hsm, key.id());
      for (Cka yes : new Cka[] {Cka.CKA_TOKEN, Cka.CKA_PRIVATE, Cka.CKA_SENSITIVE}) {
        assertThat(flag(hsm, handle, yes)).as(yes.name()).contains(true);
      }
      for (Cka no :
          new Cka[] {Cka.CKA_EXTRACTABLE, Cka.CKA_WRAP, Cka.CKA_DERIVE, Cka.CKA_MODIFIABLE}) {
        assertThat(flag(hsm, handle, no)).as(no.name()).contains(false);
      }
      Optional<byte[]> value = hsm.inspect(handle, read -> read.read(Cka.CKA_VALUE));
      assertThat(value).isEmpty();
      assertThat(hsm.count(template -> template.no(Cka.CKA_TOKEN)))
          .as("what it took to get there")
          .isZero();
    }
  }

  @Test
  void aTokenThatRefusesLeavesTheKeyNowhere() {
    module.inject("C_UnwrapKey", Fault.returning(CKR_DEVICE_ERROR));

    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(() -> SharedAesKey.generate(List.of(inEast, inWest), "volumes"));

    for (Pkcs11Hsm hsm : List.of(east, west)) {
      assertThat(hsm.count(template -> template.with(Cka.CKA_LABEL, "volumes".getBytes(UTF_8))))
          .isZero();
    }
  }

  /** Such as a copy of the wrong backup. */
  @Test
  void anotherKeyUnderTheSameIdAndLabelIsNotUsed() {
    TokenAesKey key = inEast.generate("volumes");
    assertThat(inWest.keeps(key)).isFalse();
    boolean _ =
        west.opening()
            .inReadWriteSession(session -> {
              try (Arena arena = Arena.ofConfined()) {
                ReturnValue.check(
                    "C_GenerateKey",
                    session
                        .functions()
                        .generateKey(
                            session.handle(),
                            new Mechanisms(inWest.brand()).aesKeyGen(),
                            TokenAesKeys.pin(
                                    TokenAesKeys.onToken(arena, "volumes", key.id())
                                        .with(Cka.CKA_VALUE_LEN, 32))
                                .build(),
                            session.newObject()));
              }
              return true;
            });

    assertIsAnother(() -> inWest.keeps(key));
    assertIsAnother(() -> inWest.encrypt(key, CALL, TEXT));
    assertThat(inEast.keeps(key)).isTrue();
  }

  /** Such as by a row that somebody has changed. */
  @Test
  void aKeyIsNotUsedUnderTheNameOfAnother() {
    TokenAesKey other = inEast.generate("other");
    assertThat(inEast.encrypt(other, CALL, TEXT)).isNotEmpty();
    TokenAesKey renamed = new TokenAesKey("volumes", other.id(), other.check());

    assertIsAnother(() -> inEast.keeps(renamed));
    assertIsAnother(() -> inEast.encrypt(renamed, CALL, TEXT));
    assertIsAnother(
        () -> inEast.encrypt(new TokenAesKey("volumes", other.id(), new byte[0]), CALL, TEXT));
  }
}
