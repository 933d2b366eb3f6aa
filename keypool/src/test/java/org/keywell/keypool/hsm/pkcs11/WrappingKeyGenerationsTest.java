package org.keywell.keypool.hsm.pkcs11;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.keywell.keypool.hsm.pkcs11.SoftHsmToken.WRAPPING_KEY_LABEL;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.keypool.hsm.WrappedKey;

/** Wrapping keys that follow each other in a token, while a device is open on it. */
@Tag("softhsm")
final class WrappingKeyGenerationsTest {

  private static final KeySpec SPEC = KeySpec.EC_P256;

  private final SoftHsmToken token = SoftHsmToken.create();

  private List<String> found() {
    try (Pin pin = token.pin()) {
      return WrappingKeyGenerations.find(token.config(), pin).ids();
    }
  }

  /** Returns the new key's id. */
  private String follow() {
    String label = WrappingKeyGenerations.labelAfter(found().getLast());
    var _ = token.addWrappingKey(label);
    return found().getLast();
  }

  private boolean destroy(String id) {
    try (Pin pin = token.pin()) {
      return WrappingKeyGenerations.destroy(token.config(), pin, id);
    }
  }

  private static WrappedKey wrapped(Pkcs11Hsm hsm) {
    LiveKeyPair pair = hsm.generateExtractable(SPEC);
    try {
      return hsm.wrap(pair);
    } finally {
      assertThat(hsm.destroy(pair.privateKey())).isEqualTo(Destruction.DONE);
    }
  }

  private static void assertSigns(Pkcs11Hsm hsm, WrappedKey wrapped) {
    KeyHandle key = hsm.unwrap(wrapped);
    assertThat(hsm.sign(key, SignatureScheme.ECDSA, DigestAlgorithm.SHA_256, new byte[32]))
        .isNotEmpty();
    assertThat(hsm.destroy(key)).isEqualTo(Destruction.DONE);
  }

  private static void assertRefuses(Pkcs11Hsm hsm, WrappedKey wrapped) {
    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(() -> hsm.unwrap(wrapped))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.WRAPPED_KEY_INVALID));
    assertThat(hsm.failsToSign()).as("it is the key's fault, not the device's").isFalse();
  }

  private static WrappingKeyChoice choice(String wraps, String... withdrawn) {
    return new WrappingKeyChoice(Optional.of(wraps), Set.of(withdrawn));
  }

  @Test
  void aDeviceThatIsOpenFollows() {
    try (Pkcs11Hsm hsm = token.open()) {
      String first = hsm.wrappingKeyId();
      WrappedKey underFirst = wrapped(hsm);
      String second = follow();
      assertThat(hsm.wrappingKeyIds()).as("before it looks").containsExactly(first);

      hsm.useWrappingKeys(choice(first));
      hsm.lookForWrappingKeys();
      assertThat(hsm.wrappingKeyIds()).containsExactly(first, second);
      assertThat(hsm.wrappingKeyId()).as("as chosen").isEqualTo(first);

      hsm.useWrappingKeys(choice(second));
      WrappedKey underSecond = wrapped(hsm);
      assertThat(underSecond.wrappingKeyId()).isEqualTo(second);
      assertSigns(hsm, underFirst);
      assertSigns(hsm, underSecond);

      hsm.useWrappingKeys(choice(second, first));
      assertThat(hsm.wrappingKeyIds()).containsExactly(second);
      assertThat(hsm.foundWrappingKeyIds()).containsExactly(first, second);
      assertRefuses(hsm, underFirst);
      hsm.reopen();
      assertThat(hsm.wrappingKeyIds()).as("the choice outlasts it").containsExactly(second);

      assertThat(destroy(first)).isTrue();
      assertThat(destroy(first)).as("there is none").isFalse();
      hsm.lookForWrappingKeys();
      assertThat(hsm.foundWrappingKeyIds()).containsExactly(second);
      assertRefuses(hsm, underFirst);
      assertSigns(hsm, underSecond);
      hsm.reopen();
      assertSigns(hsm, underSecond);
    }
  }

  /** The codes for a dead handle say that the session or the login is gone. */
  @Test
  void aKeyThatIsDestroyedUnderADeviceLosesNoSession() {
    try (Pkcs11Hsm hsm = token.open()) {
      String first = hsm.wrappingKeyId();
      WrappedKey underFirst = wrapped(hsm);
      String second = follow();
      hsm.useWrappingKeys(choice(second));
      hsm.lookForWrappingKeys();
      WrappedKey underSecond = wrapped(hsm);
      KeyHandle loaded = hsm.unwrap(underFirst);

      assertThat(destroy(first)).isTrue();

      assertRefuses(hsm, underFirst);
      assertSigns(hsm, underSecond);
      hsm.prove(hsm::destroy);
      assertThat(hsm.sign(loaded, SignatureScheme.ECDSA, DigestAlgorithm.SHA_256, new byte[32]))
          .as("what was unwrapped before signs on")
          .isNotEmpty();
      assertThat(hsm.destroy(loaded)).isEqualTo(Destruction.DONE);
    }
  }

  @Test
  void beforeAnyChoiceTheNewestWraps() {
    String second = follow();
    String third = follow();

    try (Pkcs11Hsm hsm = token.open()) {
      assertThat(hsm.wrappingKeyIds()).hasSize(3);
      assertThat(hsm.wrappingKeyId()).isEqualTo(third);
    }
    try (Pkcs11Hsm one =
        token.open(token.config().withWrappingKeyLabel(WRAPPING_KEY_LABEL + "~2"))) {
      assertThat(one.wrappingKeyIds()).as("a label with a number").containsExactly(second);
    }
  }

  @Test
  void keysOfOtherLabelsAreLeftAlone() {
    var _ = token.addWrappingKey("other");
    var _ = token.addWrappingKey("other~2");
    var _ = token.addManagedWrappingKey(WRAPPING_KEY_LABEL + "2");

    assertThat(found()).hasSize(1);
    assertThat(destroy(found().getFirst())).isTrue();
    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(token::open)
        .withMessageContaining("does not exist in the token");
    token.open(token.config().withWrappingKeyLabel("other")).close();
  }

  @Test
  void theTokenKeepsThatAKeyWasDestroyed() {
    String id = found().getFirst();
    var _ = follow();
    try (Pin pin = token.pin()) {
      WrappingKeyGenerations.note(token.config(), pin, id, Instant.EPOCH);
      WrappingKeyGenerations.note(token.config(), pin, id, Instant.EPOCH);
    }

    try (Pkcs11Hsm hsm = token.open()) {
      assertThat(hsm.data(WrappingKeyGenerations.DESTROYED))
          .singleElement()
          .satisfies(note -> assertThat(note.name()).endsWith(" " + id));
    }
  }
}
