package org.keywell.keypool.hsm.pkcs11;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.keywell.keypool.hsm.Epoch;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;

@Tag("softhsm")
final class TokenKeysTest {

  private final SoftHsmToken token = SoftHsmToken.create();

  @Test
  void aKeyThatNobodyIsKnownToHaveMadeIsAStray() {
    try (Pkcs11Hsm hsm = token.open()) {
      LiveKeyPair live = hsm.generate(KeySpec.EC_P256);
      assertThat(hsm.countStrayTokenKeys(Set.of())).as("a session object is none").isZero();
      hsm.destroy(live.privateKey());

      makeTokenKey(null, new byte[] {0x2a, 0x17});
      assertThat(hsm.countStrayTokenKeys(Set.of("ca-key"))).isOne();
      assertThat(hsm.countStrayTokenKeys(Set.of("2a17"))).as("known by its id").isZero();

      makeTokenKey("ca-key", new byte[] {1});
      assertThat(hsm.countStrayTokenKeys(Set.of("ca-key"))).as("the one from before").isOne();
      makeTokenKey("ca-key", new byte[] {2});
      assertThat(hsm.countStrayTokenKeys(Set.of("ca-key")))
          .as("a label explains one key")
          .isEqualTo(2);
    }
  }

  @Test
  void soIsASecretKeyExceptForTheWrappingKeys() {
    var _ = token.addWrappingKey(SoftHsmToken.WRAPPING_KEY_LABEL + "~2");
    try (Pkcs11Hsm hsm = token.open()) {
      assertThat(hsm.countStrayTokenKeys(Set.of())).isZero();

      TokenAesKey volumes = hsm.tokenAesKeys().generate("xks-volumes");
      assertThat(hsm.countStrayTokenKeys(Set.of())).isOne();
      assertThat(hsm.countStrayTokenKeys(Set.of(HexFormat.of().formatHex(volumes.id())))).isZero();
      var _ = hsm.tokenAesKeys().generate("xks-volumes");
      assertThat(hsm.countStrayTokenKeys(Set.of(HexFormat.of().formatHex(volumes.id()))))
          .as("another key of that label")
          .isOne();
      var _ = token.addWrappingKey("another service's");
      assertThat(hsm.countStrayTokenKeys(Set.of("another service's"))).isEqualTo(2);
    }
  }

  @Test
  void aTransportKeyIsKnown() {
    try (Pin pin = token.pin()) {
      WrappingKeyRecipient.request(token.config(), pin);
    }
    try (Pkcs11Hsm hsm = token.open()) {
      assertThat(hsm.countStrayTokenKeys(Set.of())).isZero();
    }
  }

  private void makeTokenKey(@Nullable String label, byte[] id) {
    CryptokiLibrary library = CryptokiLibrary.load(token.config().module(), Optional.empty());
    long slotId = new Slots(library.functions()).require(token.config().tokenLabel()).slotId();
    try (Arena arena = Arena.ofConfined();
        Pin pin = token.pin();
        Session session = Session.openReadWrite(library.functions(), slotId)) {
      session.login(Ck.CKU_USER, pin);
      Template.Builder privateKey =
          Template.in(arena)
              .with(Cka.CKA_ID, id)
              .yes(Cka.CKA_TOKEN, Cka.CKA_SENSITIVE, Cka.CKA_SIGN)
              .no(Cka.CKA_EXTRACTABLE);
      if (label != null) {
        privateKey.with(Cka.CKA_LABEL, label.getBytes(StandardCharsets.UTF_8));
      }
      KeyTemplates templates = KeyTemplates.of(KeySpec.EC_P256, library.brand(), arena);
      new KeyPairGeneration(
              new Mechanisms(library.brand()),
              Epoch.next(),
              left -> {
                throw new AssertionError(left);
              })
          .generate(session, KeySpec.EC_P256, templates.publicKey(), privateKey.build());
    }
  }
}
