package org.keywell.keypool.hsm.pkcs11;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.keywell.keypool.hsm.pkcs11.ManagedKeysContract.assertFails;

import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.HsmHealth;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.keypool.hsm.pkcs11.CipherCall.Mode;
import org.keywell.testkit.Fault;
import org.keywell.testkit.FaultyModule;

/**
 * A device that returns something wrong as good: nothing of it leaves, and nobody else is blamed.
 */
@Tag("softhsm")
final class WrongResultsTest {
  private static final byte[] TEXT = "sixteen letters.a second block..".getBytes(US_ASCII);

  /** As many as there are ways in which the module spoils something, and some more. */
  private static final int TRIES = 8;

  private static final long CKR_ENCRYPTED_DATA_INVALID = 0x40;

  private final FaultyModule module;
  private final Pkcs11Hsm hsm;
  private final ManagedKeys keys;
  private final TokenAesKeys tokenKeys;

  WrongResultsTest(@TempDir Path directory) {
    module = FaultyModule.create(directory);
    SoftHsmToken token = SoftHsmToken.create(module.path());
    hsm = token.open(token.addManagedWrappingKey("managed"));
    keys = hsm.managedKeys();
    tokenKeys = hsm.tokenAesKeys();
  }

  @AfterEach
  void nothingStays() {
    module.close();
    try {
      assertThat(ManagedKeysContract.liveSecrets(hsm)).isZero();
    } finally {
      hsm.close();
    }
  }

  /** Each time, whatever it is that is spoilt; and again once the device works. */
  private void assertRefused(String function, Runnable call) {
    module.inject(function, Fault.corrupting());
    for (int i = 0; i < TRIES; i++) {
      assertFails(Reason.FAILED, call);
    }
    assertThat(hsm.health().state()).isEqualTo(HsmHealth.State.DOWN);
    module.clear(function);
    assertThatNoException().as(function + " works again").isThrownBy(call::run);
    assertThatNoException().isThrownBy(() -> hsm.prove(hsm::destroy));
    assertThat(hsm.health().state()).isEqualTo(HsmHealth.State.UP);
  }

  @Test
  void aBlobThatDoesNotUnwrapIsNotHandedOut() {
    assertRefused("C_WrapKey", () -> keys.generateAes(256));
    assertRefused("C_WrapKey", () -> keys.generateSecret(20));
    assertRefused("C_WrapKey", () -> keys.store(TEXT));
    assertRefused("C_WrapKey", () -> keys.store(new byte[13]));
  }

  @Test
  void aContentThatIsNotTheBlobsIsNotRevealed() {
    byte[] blob = keys.store(TEXT);
    byte[] padded = keys.store(new byte[13]);
    byte[] pools = pair(KeySpec.EC_P256).wrappedPrivateKey();

    assertRefused("C_GetAttributeValue", () -> keys.reveal(blob));
    module.inject("C_GetAttributeValue", Fault.corrupting());
    for (int i = 0; i < TRIES; i++) {
      assertThatExceptionOfType(HsmException.class)
          .as("also for zeros that are none any more")
          .isThrownBy(() -> keys.reveal(padded));
    }
    module.clear("C_GetAttributeValue");
    assertThat(keys.reveal(pools)).as("a private key's DER").startsWith(0x30);
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void whatDoesNotDecryptIsNotHandedOut(Mode mode) {
    byte[] blob = keys.generateAes(256);
    CipherCall call = call(mode);

    assertRefused("C_Encrypt", () -> keys.encrypt(blob, call, TEXT));
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void whatWasNotEncryptedIsNotHandedOut(Mode mode) {
    byte[] blob = keys.generateAes(256);
    CipherCall call = call(mode);
    byte[] encrypted = keys.encrypt(blob, call, TEXT);

    assertRefused("C_Decrypt", () -> keys.decrypt(blob, call, encrypted));
  }

  @Test
  void aKeyOfTheTokenEncryptsAndDecryptsRightOrNotAtAll() {
    TokenAesKey key = tokenKeys.generate("volumes");
    CipherCall call = call(Mode.GCM);
    byte[] encrypted = tokenKeys.encrypt(key, call, TEXT);

    assertRefused("C_Encrypt", () -> tokenKeys.encrypt(key, call, TEXT));
    module.inject("C_Decrypt", Fault.corrupting());
    for (int i = 0; i < TRIES; i++) {
      assertFails(Reason.FAILED, () -> tokenKeys.decrypt(key, call, encrypted));
    }
    assertThat(hsm.failsToEncrypt()).isTrue();
    assertThat(hsm.failsToSign()).as("its signatures are right").isFalse();
    assertFails(Reason.FAILED, () -> hsm.prove(hsm::destroy));
    module.clear("C_Decrypt");
    assertThatNoException().isThrownBy(() -> hsm.prove(hsm::destroy));
    assertThat(hsm.failsToEncrypt()).isFalse();
    assertThat(tokenKeys.decrypt(key, call, encrypted)).isEqualTo(TEXT);
  }

  /** The codes by which modules blame data are believed only of a device that works. */
  @Test
  void aDeviceThatDecryptsNothingBlamesNobodysData() {
    byte[] blob = keys.generateAes(256);
    byte[] clients = keys.generateAes(256);
    TokenAesKey key = tokenKeys.generate("volumes");
    CipherCall call = call(Mode.GCM);
    byte[] encrypted = keys.encrypt(blob, call, TEXT);
    byte[] tokens = tokenKeys.encrypt(key, call, TEXT);
    byte[] wrapped = keys.wrapUnder(blob, clients);
    byte[] altered = encrypted.clone();
    altered[0] ^= 1;
    assertFails(Reason.DATA_INVALID, () -> keys.decrypt(blob, call, altered));

    module.inject("C_Decrypt", Fault.returning(CKR_ENCRYPTED_DATA_INVALID));
    assertFails(Reason.FAILED, () -> keys.decrypt(blob, call, encrypted));
    assertFails(Reason.FAILED, () -> tokenKeys.decrypt(key, call, tokens));
    module.clear("C_Decrypt");
    module.inject("C_UnwrapKey", Fault.returning(CKR_ENCRYPTED_DATA_INVALID).after(1));
    assertFails(Reason.FAILED, () -> keys.unwrapUnder(wrapped, clients));
  }

  @Test
  void whatAClientsKeyWrapsAndUnwrapsIsRightOrRefused() {
    byte[] clients = keys.generateAes(256);
    byte[] blob = keys.store(TEXT);
    byte[] wrapped = keys.wrapUnder(blob, clients);

    assertRefused("C_WrapKey", () -> keys.wrapUnder(blob, clients));
    assertRefused("C_WrapKey", () -> keys.unwrapUnder(wrapped, clients));
    for (int spared = 0; spared < 5; spared++) {
      module.inject("C_WrapKey", Fault.corrupting().after(spared).times(1));
      if (spared < 4) {
        assertFails(Reason.FAILED, () -> keys.wrapUnder(blob, clients));
      }
      assertFailsOrIsRight(() -> keys.unwrapUnder(wrapped, clients), TEXT);
      module.clear("C_WrapKey");
    }
  }

  private interface Call {
    byte[] blob();
  }

  private void assertFailsOrIsRight(Call call, byte[] content) {
    byte[] blob;
    try {
      blob = call.blob();
    } catch (HsmException e) {
      assertThat(e.reason()).isEqualTo(Reason.FAILED);
      return;
    }
    module.clear("C_WrapKey");
    assertThat(keys.reveal(blob)).isEqualTo(content);
  }

  @Test
  void aMacIsRightOrRefused() {
    byte[] blob = keys.generateSecret(32);

    assertRefused("C_Sign", () -> keys.mac(blob, DigestAlgorithm.SHA_256, TEXT));
  }

  @ParameterizedTest
  @EnumSource(
      value = KeySpec.class,
      names = {"RSA_2048", "EC_P256"})
  void aSignatureIsVerifiedWithThePublicHalf(KeySpec spec) {
    WrappedKey pair = pair(spec);
    WrappedKey other = pair(spec);

    assertRefused("C_Sign", () -> sign(pair));
    assertThat(keys.proves(pair)).isTrue();
    assertThat(keys.proves(of(pair, other.publicKey()))).isFalse();
    module.inject("C_WrapKey", Fault.corrupting());
    WrappedKey spoilt = pair(spec);
    module.clear("C_WrapKey");
    assertThat(keys.proves(spoilt)).isFalse();
    module.inject("C_Sign", Fault.returning(ReturnValue.CKR_DEVICE_ERROR.code()));
    assertFails(Reason.UNAVAILABLE, () -> keys.proves(pair));
  }

  /** One that a client registered, of which the token alone knows the modulus. */
  @Test
  void anRsaSignatureIsVerifiedWithoutThePublicHalf() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    KeyPair clients = generator.generateKeyPair();
    WrappedKey stored =
        new WrappedKey(
            KeySpec.RSA_2048,
            hsm.wrappingKeyId(),
            hsm.wrapMechanism(),
            new byte[0],
            keys.store(clients.getPrivate().getEncoded()));

    assertRefused("C_Sign", () -> sign(stored));
    assertRefused("C_GetAttributeValue", () -> sign(stored));
  }

  @Test
  void aGeneratorThatRepeatsItselfDoesNotMakeRandomDataRepeat() {
    module.inject("C_GenerateRandom", Fault.corrupting());

    assertThat(keys.random(64)).isNotEqualTo(keys.random(64));
    assertThat(Arrays.equals(keys.random(16), 0, 8, keys.random(16), 8, 16)).isFalse();
  }

  private byte[] sign(WrappedKey pair) {
    boolean rsa = pair.spec().algorithm() == KeySpec.Algorithm.RSA;
    return keys.sign(
        pair,
        rsa ? SignatureScheme.RSASSA_PKCS1_V1_5 : SignatureScheme.ECDSA,
        DigestAlgorithm.SHA_256,
        new byte[32]);
  }

  private static WrappedKey of(WrappedKey pair, byte[] publicKey) {
    return new WrappedKey(
        pair.spec(),
        pair.wrappingKeyId(),
        pair.wrapMechanism(),
        publicKey,
        pair.wrappedPrivateKey());
  }

  private WrappedKey pair(KeySpec spec) {
    LiveKeyPair pair = hsm.generateExtractable(spec);
    WrappedKey wrapped = hsm.wrap(pair);
    assertThat(hsm.destroy(pair.privateKey()).succeeded()).isTrue();
    return wrapped;
  }

  private static CipherCall call(Mode mode) {
    return switch (mode) {
      case ECB -> new CipherCall(mode, new byte[0], new byte[0], 0);
      case CBC, CBC_PAD, CTR -> new CipherCall(mode, new byte[16], new byte[0], 0);
      case GCM -> new CipherCall(mode, new byte[12], new byte[5], 16);
    };
  }
}
