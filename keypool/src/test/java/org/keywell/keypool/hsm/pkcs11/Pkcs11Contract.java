package org.keywell.keypool.hsm.pkcs11;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.HsmContract;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.WrappedKey;

/** The contract, plus what a device reveals of its keys. */
abstract class Pkcs11Contract extends HsmContract {
  private static final List<String> OTHER_USES =
      List.of(
          "CKA_ENCRYPT",
          "CKA_DECRYPT",
          "CKA_WRAP",
          "CKA_UNWRAP",
          "CKA_SIGN_RECOVER",
          "CKA_VERIFY",
          "CKA_DERIVE");

  /** Uses that this brand gives to unwrapped keys whatever the template says. */
  protected Set<String> usesAddedByUnwrap() {
    return Set.of();
  }

  /** Whether this brand holds unwraps to the template that the wrapping key has. */
  protected boolean bindsUnwraps() {
    return true;
  }

  /** What this brand says to the destruction of a token object in a read-only session. */
  protected ReturnValue answerToDestroyingTheWrappingKey() {
    return ReturnValue.CKR_SESSION_READ_ONLY;
  }

  private Pkcs11Hsm pkcs11() {
    return (Pkcs11Hsm) hsm();
  }

  private long epoch() {
    KeyHandle key = hsm().unwrap(wrappedKey(KeySpec.EC_P256));
    assertThat(hsm().destroy(key)).isEqualTo(Destruction.DONE);
    return key.epoch();
  }

  @ParameterizedTest
  @EnumSource(KeySpec.class)
  void anUnwrappedKeyIsPinned(KeySpec spec) {
    KeyHandle key = hsm().unwrap(wrappedKey(spec));
    Map<String, Boolean> attributes = KeyAttributes.of(pkcs11(), key);
    assertThat(hsm().destroy(key)).isEqualTo(Destruction.DONE);

    assertSensitiveSessionKeyForSigning(attributes, usesAddedByUnwrap());
    assertThat(attributes).containsEntry("CKA_EXTRACTABLE", false);
  }

  @ParameterizedTest
  @EnumSource(KeySpec.class)
  void aGeneratedKeyIsPinned(KeySpec spec) {
    assumeTrue(hsm().makes(spec), () -> "the module makes no " + spec + " keys");
    LiveKeyPair pair = hsm().generate(spec);
    Map<String, Boolean> attributes = KeyAttributes.of(pkcs11(), pair.privateKey());
    assertThat(hsm().destroy(pair.privateKey())).isEqualTo(Destruction.DONE);

    assertSensitiveSessionKeyForSigning(attributes, Set.of());
    assertThat(attributes).containsEntry("CKA_EXTRACTABLE", false);
  }

  @Test
  void anExtractableKeyIsSensitive() {
    LiveKeyPair pair = hsm().generateExtractable(KeySpec.RSA_2048);
    Map<String, Boolean> attributes = KeyAttributes.of(pkcs11(), pair.privateKey());
    assertThat(hsm().destroy(pair.privateKey())).isEqualTo(Destruction.DONE);

    assertSensitiveSessionKeyForSigning(attributes, Set.of());
    assertThat(attributes).containsEntry("CKA_EXTRACTABLE", true);
  }

  private static void assertSensitiveSessionKeyForSigning(
      Map<String, Boolean> attributes, Set<String> tolerated) {
    assertThat(attributes)
        .containsEntry("CKA_TOKEN", false)
        .containsEntry("CKA_PRIVATE", true)
        .containsEntry("CKA_SENSITIVE", true)
        .containsEntry("CKA_SIGN", true);
    List<String> otherUses = new ArrayList<>(OTHER_USES);
    otherUses.removeAll(tolerated);
    for (String use : otherUses) {
      assertThat(attributes.getOrDefault(use, false)).as(use).isFalse();
    }
  }

  /** With the PIN and a row of the pool: by C_UnwrapKey, and a template of one's own. */
  @ParameterizedTest
  @EnumSource(
      value = KeySpec.class,
      names = {"RSA_2048", "EC_P256"})
  void aStoredKeyIsNotUnwrappedInClear(KeySpec spec) {
    WrappedKey stored = wrappedKey(spec);
    OptionalLong unwrapped =
        pkcs11()
            .inspect(
                pkcs11().wrappingKey().handle(),
                wrappingKey -> InClear.unwrap(wrappingKey, stored));
    unwrapped.ifPresent(key -> hsm().destroy(new KeyHandle(epoch(), key, spec)));

    assertThat(unwrapped.isEmpty()).isEqualTo(bindsUnwraps());
  }

  @Test
  void theWrappingKeyWrapsAndUnwrapsOnly() {
    assertThat(KeyAttributes.ofWrappingKey(pkcs11()))
        .containsEntry("CKA_TOKEN", true)
        .containsEntry("CKA_PRIVATE", true)
        .containsEntry("CKA_SENSITIVE", true)
        .containsEntry("CKA_EXTRACTABLE", false)
        .containsEntry("CKA_WRAP", true)
        .containsEntry("CKA_UNWRAP", true)
        .containsEntry("CKA_ENCRYPT", false)
        .containsEntry("CKA_DECRYPT", false)
        .containsEntry("CKA_SIGN", false)
        .containsEntry("CKA_VERIFY", false)
        .containsEntry("CKA_DERIVE", false)
        .containsEntry("CKA_MODIFIABLE", false);
  }

  /** Only read-only sessions are open, so not even a mistaken handle can do this. */
  @Test
  void theWrappingKeyCannotBeDestroyed() {
    KeyHandle mistaken = new KeyHandle(epoch(), pkcs11().wrappingKey().handle(), KeySpec.RSA_2048);

    assertThat(hsm().destroy(mistaken))
        .isEqualTo(new Destruction(answerToDestroyingTheWrappingKey().code()));
    assertThat(newWrappedKey(KeySpec.EC_P256)).isNotNull();
  }

  @Test
  void theWrappingKeyIdHasTheLabelAndARandomPart() {
    assertThat(hsm().wrappingKeyId()).matches("keywell-wrap:[0-9a-f]{32}");
  }
}
