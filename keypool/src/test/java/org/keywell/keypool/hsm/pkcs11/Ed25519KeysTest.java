package org.keywell.keypool.hsm.pkcs11;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("softhsm")
final class Ed25519KeysTest {

  private static final byte[] MESSAGE = "log\n1\nroot\n".getBytes(StandardCharsets.UTF_8);

  private final SoftHsmToken token = SoftHsmToken.create();

  @Test
  void aKeyIsMadeOnceAndOutlivesTheOpening() throws Exception {
    PublicKey made;
    try (Pkcs11Hsm hsm = token.open()) {
      Ed25519Keys keys = hsm.ed25519Keys();
      assertThat(keys.find("log")).isEmpty();
      assertThat(keys.ensure("log")).isTrue();
      assertThat(keys.ensure("log")).isFalse();
      made = keys.find("log").orElseThrow().publicKey();
      assertThat(hsm.countStrayTokenKeys(Set.of())).isOne();
      assertThat(hsm.countStrayTokenKeys(Set.of("log"))).as("known by its label").isZero();
    }
    try (Pkcs11Hsm hsm = token.open()) {
      Ed25519Key key = hsm.ed25519Keys().find("log").orElseThrow();
      assertThat(key.publicKey()).isEqualTo(made);
      assertThat(verifies(made, key.sign(MESSAGE))).isTrue();
      assertThat(hsm.ed25519Keys().find("witness")).isEmpty();
    }
  }

  @Test
  void aReopenedTokenSignsWithTheSameKey() throws Exception {
    try (Pkcs11Hsm hsm = token.open()) {
      assertThat(hsm.ed25519Keys().ensure("log")).isTrue();
      Ed25519Key key = hsm.ed25519Keys().find("log").orElseThrow();
      hsm.reopen();
      assertThat(verifies(key.publicKey(), key.sign(MESSAGE))).isTrue();
    }
  }

  private static boolean verifies(PublicKey key, byte[] signature) throws Exception {
    Signature verifier = Signature.getInstance("Ed25519");
    verifier.initVerify(key);
    verifier.update(MESSAGE);
    return verifier.verify(signature);
  }
}
